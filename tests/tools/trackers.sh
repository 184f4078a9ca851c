#!/bin/sh
# Runs experiment trackers' own packages, without services or models, and keeps the files that they write.
#   sh tests/tools/trackers.sh [FOLDER] [TOOL ...]     a folder for each tool is made in FOLDER (default: a new one)
# Each tool gets an environment of its own (about a minute each, MLflow and Phoenix several).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$(mktemp -d)}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- pydantic_evals pydantic_evals_repeated langsmith braintrust azure_ai mlflow phoenix
python=${PYTHON:-python3.11}
environments=$(mktemp -d)
trap 'rm -rf "$environments"' EXIT
export PYTHONDONTWRITEBYTECODE=1 LANGSMITH_TRACING=false MLFLOW_DISABLE_TELEMETRY=true PHOENIX_TELEMETRY_ENABLED=false

environment() { # NAME REQUIREMENT ...
    name=$1
    shift
    "$python" -m venv "$environments/$name"
    "$environments/$name/bin/pip" install --quiet "$@"
}

for tool in "$@"; do
    mkdir -p "$folder/$tool"
    out=$(cd "$folder/$tool" && pwd)
    run="$environments/$tool/bin/python"
    # What stands behind the first requirement holds back later releases that the tool did not know of.
    case $tool in
    pydantic_evals)
        environment "$tool" pydantic-evals==1.0.0 "opentelemetry-api<1.36"
        "$run" "$here/pydantic_evals_reports.py" "$out"
        ;;
    pydantic_evals_repeated)
        environment "$tool" pydantic-evals==2.40.0
        "$run" "$here/pydantic_evals_reports.py" "$out"
        ;;
    langsmith)
        environment "$tool" langsmith==0.4.0 pandas
        "$run" "$here/langsmith_experiment.py" "$out"
        ;;
    braintrust)
        environment "$tool" braintrust==0.10.0
        "$run" "$here/braintrust_eval.py" "$out"
        ;;
    azure_ai)
        environment "$tool" azure-ai-evaluation==1.14.0
        "$run" "$here/azure_ai_evaluation.py" "$out"
        ;;
    mlflow)
        environment "$tool" mlflow==3.5.0 "sqlalchemy<2.1"
        "$run" "$here/mlflow_evaluations.py" "$out"
        ;;
    phoenix)
        environment "$tool" arize-phoenix==17.0.0 "sqlalchemy<2.1" "graphql-core<3.3" "pydantic-ai-slim[mcp]<2"
        export PHOENIX_WORKING_DIR="$environments/phoenix-data" PHOENIX_PORT=16006 PHOENIX_GRPC_PORT=14317
        export PHOENIX_AGENTS_DISABLE_WEB_ACCESS=true PHOENIX_DISABLE_AGENT_ASSISTANT=true
        export PHOENIX_ALLOW_EXTERNAL_RESOURCES=false
        mkdir -p "$PHOENIX_WORKING_DIR"
        "$environments/$tool/bin/phoenix" serve >"$environments/phoenix.log" 2>&1 &
        server=$!
        waited=0
        until "$run" -c "import urllib.request as u; u.urlopen('http://127.0.0.1:$PHOENIX_PORT/healthz')" 2>/dev/null; do
            waited=$((waited + 1))
            [ "$waited" -lt 60 ] || { tail -5 "$environments/phoenix.log"; kill "$server"; exit 1; }
            sleep 2
        done
        "$run" "$here/phoenix_experiment.py" "$out" "http://127.0.0.1:$PHOENIX_PORT" || failed=1
        kill "$server"
        [ -z "${failed:-}" ] || exit 1
        ;;
    *)
        echo "unknown tool $tool" >&2
        exit 2
        ;;
    esac
    echo "wrote $out"
done
