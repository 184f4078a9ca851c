#!/bin/sh
# Writes small results of promptfoo with systems and a judge of our own, in three versions; no model is asked.
# Usage: tests/tools/promptfoo.sh [FOLDER]; needs npm; $NODE22 names a node of version 22 or later,
# which the newest version needs, where `node` is older.
# Prints where it wrote.
set -eu

folder=$(mkdir -p "${1:-$(mktemp -d)}" && cd "${1:-.}" && pwd)
mkdir -p "$folder/out" "$folder/work"
cd "$folder/work"

# The evaluated system: sums, one of them wrong, and a failure on another.
cat >system.js <<'JS'
module.exports = class {
  constructor(options) {
    this.config = options.config;
    this.label = options.label;
  }
  id() {
    return `local:${this.config.name}`;
  }
  async callApi(prompt, context) {
    const { q } = context.vars;
    if (q === this.config.failsOn) return { error: 'the system failed' };
    const [left, right] = q.split(' + ').map(Number);
    const output = String(left + right + (q === this.config.wrongOn ? 1 : 0));
    return { output, cost: this.config.cost, tokenUsage: { total: 9 } };
  }
};
JS
# The judge of llm-rubric: content with everything, but out of order for one rubric.
cat >judge.js <<'JS'
module.exports = class {
  id() {
    return 'local:judge';
  }
  async callApi(prompt) {
    if (prompt.includes('Is it short?')) return { error: 'the judge failed' };
    return { output: JSON.stringify({ pass: true, score: 0.75, reason: 'it is a number' }) };
  }
};
JS
echo 'It is even.' >hint.txt
# Two systems side by side; two tests of the same vars; a metric of two assertions; a judge that fails.
cat >promptfooconfig.yaml <<'YAML'
description: sums
tags: { commit: abc1234 }
prompts: ['What is {{q}}?']
providers:
  - { id: file://system.js, label: base, config: { name: base, wrongOn: '1 + 2', cost: 0.002 } }
  - { id: file://system.js, label: cand, config: { name: cand, failsOn: '2 + 2', cost: 0.001 } }
defaultTest:
  options: { provider: file://judge.js }
  assert: [{ type: equals, value: '{{answer}}', metric: correct }]
tests:
  - { vars: { q: '1 + 1', answer: '2', hint: file://hint.txt }, description: easy, metadata: { topic: ones } }
  - { vars: { q: '1 + 2', answer: '3' }, metadata: { topic: ones } }
  - vars: { q: '2 + 2', answer: '4' }
    metadata: { topic: twos }
    assert: [{ type: is-json, metric: form }, { type: contains, value: '9', metric: form }]
  - vars: { q: '2 + 3', answer: '5' }
    assert: [{ type: llm-rubric, value: 'Is it a number?', metric: judged }]
  - vars: { q: '2 + 3', answer: '5' }
    assert: [{ type: llm-rubric, value: 'Is it short?', metric: judged }]
YAML

export PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1
for version in 0.80.3 0.121.1 0.123.1; do
    home="$folder/promptfoo-$version"
    [ -d "$home/node_modules/promptfoo" ] ||
        npm install --prefix "$home" --no-audit --no-fund "promptfoo@$version"
    case $version in
    0.80.3) kind=json node=node ;;
    0.121.1) kind=jsonl node=node ;;
    *) kind=json node=${NODE22:-node} ;;
    esac
    rm -f "$folder/out/$version.$kind" # 0.121.1 writes JSON lines behind what a file holds
    # Tests that fail make it end with 100.
    PROMPTFOO_CONFIG_DIR="$folder/state-$version" "$node" "$home/node_modules/.bin/promptfoo" eval \
        --no-cache --no-progress-bar --no-table --repeat 2 -o "$folder/out/$version.$kind" || [ $? -eq 100 ]
    sed -i "s#$folder/\(work\|out\)#/project#g" "$folder/out/$version.$kind" # nothing of the machine stays in the file
    [ "$kind" != json ] || # without its indents
        node -e 'const fs = require("fs"); const [, f] = process.argv; fs.writeFileSync(f, JSON.stringify(JSON.parse(fs.readFileSync(f))))' \
            "$folder/out/$version.$kind"
done
echo "written to $folder/out:"
ls "$folder/out"
