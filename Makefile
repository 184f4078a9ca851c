# Two commands matter: `make demo` and `make test`. Both do all their own set-up.
# They need Python 3.11 to 3.13, git and make; PYTHON=/path/to/python picks the interpreter.

PYTHON ?=
SETUP = PYTHON='$(PYTHON)' sh scripts/setup.sh
PYTEST_ARGS ?=
ENGINE ?=
IMAGE ?= clearband:dev
UV = .cache/uv/bin/uv
COMPILE = $(UV) pip compile --no-config --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --custom-compile-command 'make lock' $(if $(UPGRADE),--upgrade)

.DEFAULT_GOAL := help
.PHONY: help demo test lint format lock formats fuzz calibration bench image clean

help: ## Say what there is
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

demo: ## Compare two real retrieval systems, as on a pull request, and show the answer
	@venv=$$($(SETUP) run) && "$$venv/bin/clearband" compare \
		examples/cranfield/bm25_stem.csv examples/cranfield/lsa200.csv \
		--policy examples/cranfield/clearband.yml --pr-body examples/cranfield/pull_request.md --out clearband-out

test: lint ## Check style and types, then run every test; PYTEST_ARGS="-k pairing" narrows the tests
	@venv=$$($(SETUP) dev) && "$$venv/bin/pytest" -n auto --dist loadgroup $(PYTEST_ARGS)

lint: ## Check style (ruff) and types (mypy) only
	@venv=$$($(SETUP) dev) && "$$venv/bin/ruff" check . && "$$venv/bin/ruff" format --check . && "$$venv/bin/mypy"

format: ## Put the code into the house style
	@venv=$$($(SETUP) dev) && "$$venv/bin/ruff" format . && "$$venv/bin/ruff" check --fix .

# One resolution for Python 3.11 to 3.13 on every platform. `fewest` keeps one version of each package for all of them, so
# that a laptop and the image compute with the same numpy. The smaller locks constrain the larger ones: runtime.lock is what
# a plain install needs, image.lock adds the extras that the container has, dev.lock the tests' own packages.
lock: $(UV) ## Write requirements/*.lock anew from pyproject.toml; UPGRADE=1 takes newer versions
	$(COMPILE) pyproject.toml -o requirements/runtime.lock
	$(COMPILE) --group pyproject.toml:build -o requirements/build.lock
	$(COMPILE) pyproject.toml --extra duckdb -c requirements/runtime.lock -o requirements/image.lock
	$(COMPILE) pyproject.toml --extra duckdb --group pyproject.toml:dev -c requirements/image.lock \
		-c requirements/build.lock -o requirements/dev.lock

$(UV):
	@venv=$$($(SETUP) run) && "$$venv/bin/python" -m venv .cache/uv && .cache/uv/bin/python -m pip install -q uv==0.13.9

formats: ## Write docs/formats.md anew from what the readers say of themselves
	@venv=$$($(SETUP) dev) && "$$venv/bin/python" scripts/formats_page.py

SECONDS = 60
INPUT ?=

fuzz: ## Fuzz the readers by coverage for SECONDS=60, or run INPUT=file again (installs atheris when asked)
	@venv=$$($(SETUP) dev) && mkdir -p .cache/fuzz && \
		{ "$$venv/bin/python" -c 'import atheris' 2>/dev/null || "$$venv/bin/python" -m pip install -q 'atheris>=3'; } && \
		PYTHONPATH=tests "$$venv/bin/python" -m fuzz.atheris_target -artifact_prefix=.cache/ -max_len=65536 -timeout=10 \
			-rss_limit_mb=4096 -max_total_time=$(SECONDS) $(or $(INPUT),.cache/fuzz tests/unit/results/samples)

calibration: ## Write docs/calibration.md anew by simulation (a quarter of an hour on two cores)
	@venv=$$($(SETUP) dev) && PYTHONPATH=tests "$$venv/bin/python" -m calibration.write

PART ?=
REPEATS ?= 5

bench: ## Measure speed and memory beside the peers, write docs/benchmarks.md; PART=startup measures one part, REPEATS=3
	@venv=$$($(SETUP) dev) && "$$venv/bin/python" -m bench $(addprefix --part ,$(PART)) --repeats $(REPEATS)

image: ## Build the container image (ENGINE=podman, IMAGE=name, BASE=another base image)
	@engine='$(ENGINE)'; engine=$${engine:-$$(command -v docker || command -v podman)} || { \
		echo "make image needs docker or podman on PATH, or ENGINE=/path/to/one" >&2; exit 1; }; \
	"$$engine" build $(if $(BASE),--build-arg BASE='$(BASE)') -t '$(IMAGE)' .

clean: ## Remove environments, caches and everything else that these commands made
	rm -rf .venv .venv-3.* .cache build dist clearband-out .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
