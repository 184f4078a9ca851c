#!/bin/sh
# Writes test reports with the real tools: pytest (JUnit XML and pytest-json-report), jest-junit and vitest.
# Usage: tests/tools/test_reports.sh [FOLDER]; needs python3, npm and their registries. Prints where it wrote.
set -eu

folder=$(mkdir -p "${1:-$(mktemp -d)}" && cd "${1:-.}" && pwd)
mkdir -p "$folder/py" "$folder/js" "$folder/out"

cat > "$folder/py/test_app.py" <<'PY'
import pathlib

import pytest

TRIES = pathlib.Path("tries")


@pytest.fixture(scope="session", autouse=True)
def model(record_testsuite_property):
    record_testsuite_property("model", "m-1")


@pytest.mark.parametrize("n", range(4))
def test_score(n, record_property):
    record_property("score", n / 4)
    record_property("topic", "even" if n % 2 == 0 else "odd")
    assert n != 1


@pytest.mark.flaky(reruns=2)
def test_flaky(record_property):
    tries = int(TRIES.read_text()) if TRIES.exists() else 0
    TRIES.write_text(str(tries + 1))
    record_property("score", tries / 2)
    assert tries >= 1


@pytest.mark.flaky(reruns=2)
def test_never():
    assert False


@pytest.fixture
def broken():
    raise RuntimeError("boom")


def test_error(broken):
    pass


@pytest.fixture
def untidy():
    yield
    raise RuntimeError("teardown")


def test_teardown(untidy):
    pass


def test_both(untidy):
    assert 0


@pytest.mark.skip(reason="later")
def test_skip():
    pass


@pytest.mark.xfail
def test_xfail():
    assert 0


@pytest.mark.xfail
def test_xpass():
    pass


@pytest.mark.xfail(strict=True)
def test_xpass_strict():
    pass


def test_metadata(json_metadata):
    json_metadata["grade"] = 0.75
    json_metadata["about"] = {"topic": "sums"}


class TestMore:
    def test_inside(self):
        pass
PY
echo 'import nowhere' > "$folder/py/test_broken.py"

[ -d "$folder/venv" ] || python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pytest==7.4.4 pytest-json-report==1.5.0 pytest-rerunfailures==13.0
cd "$folder/py"
rm -f tries
"$folder/venv/bin/pytest" -q --tb=no -p no:cacheprovider --continue-on-collection-errors --junitxml="$folder/out/pytest.xml" \
    --json-report --json-report-file="$folder/out/report.json" --json-report-indent=1 \
    --json-report-omit keywords streams log traceback warnings || true

cat > "$folder/js/a.test.js" <<'JS'
let tries = 0;
describe('outer', () => {
  test.each([0, 1, 2])('score %i', (n) => { expect(n).not.toBe(1); });
  describe('inner', () => { test('same', () => {}); test('same', () => { expect(1).toBe(2); }); });
  test.skip('later', () => {});
  test.todo('todo');
});
jest.retryTimes(2);
test('flaky', () => { tries += 1; expect(tries).toBe(2); });
JS
cat > "$folder/js/b.test.js" <<'JS'
describe('other', () => { test('score 0', () => {}); });
JS
mkdir -p "$folder/js/vitest"
cat > "$folder/js/vitest/a.test.ts" <<'JS'
import { describe, expect, test } from 'vitest';
let tries = 0;
describe('outer', () => {
  test.each([0, 1, 2])('score %i', (n) => { expect(n).not.toBe(1); });
  test.skip('later', () => {});
});
test('flaky', { retry: 3 }, () => { tries += 1; expect(tries).toBe(2); });
test('never', { retry: 2 }, () => { throw new Error('x'); });
JS
cd "$folder/js"
[ -f package.json ] || npm init --yes > /dev/null
npm install --silent --no-audit --no-fund jest@29.7.0 jest-junit@16.0.0 vitest@2.1.9
JEST_JUNIT_OUTPUT_FILE="$folder/out/jest.xml" npx jest --silent --testPathIgnorePatterns vitest \
    --reporters=default --reporters=jest-junit || true
npx vitest run --root vitest --reporter=junit --outputFile="$folder/out/vitest.xml" || true

# Nothing of the machine stays in the files.
for file in "$folder"/out/*; do
    sed -i -e "s#$folder/[a-z]*#/repo#g" -e 's#[^ ]*/lib/python3[.0-9]*/#python/#g' -e 's/hostname="[^"]*"/hostname="runner"/g' "$file"
done
echo "written to $folder/out:"
ls "$folder/out"
