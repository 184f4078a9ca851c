// Holds GraphQL questions and answers against GitHub's own schema: one JSON object a line in, a list of complaints a line out.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { createRequire } = require("node:module");
const { createInterface } = require("node:readline");
const { isDeepStrictEqual } = require("node:util");

const need = createRequire(process.argv[2] + "/");
const { buildSchema, execute, parse, validate } = need("graphql");
const source = join(process.argv[2], "node_modules", "@octokit", "graphql-schema", "schema.graphql");
const schema = buildSchema(readFileSync(source, "utf8"), { assumeValid: true, assumeValidSDL: true });
const fieldResolver = (value, _, __, { path }) => value?.[path.key]; // by the name in the answer, which may be an alias
const typeResolver = (value) => value.__typename ?? (String(value.id).startsWith("IC_") ? "IssueComment" : undefined);

function complaints({ query, variables, data }) {
  let document;
  try {
    document = parse(query);
  } catch (error) {
    return [String(error)];
  }
  const invalid = validate(schema, document);
  if (invalid.length > 0) return invalid.map(String);
  const asked = execute({ schema, document, variableValues: variables, rootValue: data ?? {}, typeResolver, fieldResolver });
  if (data === null) return (asked.errors ?? []).filter((error) => !error.path).map(String);
  if (asked.errors) return asked.errors.map(String);
  const plain = JSON.parse(JSON.stringify(asked.data));
  return isDeepStrictEqual(plain, data) ? [] : ["the answer holds what was not asked for: " + JSON.stringify(data)];
}

createInterface({ input: process.stdin }).on("line", (line) => {
  process.stdout.write(JSON.stringify(complaints(JSON.parse(line))) + "\n");
});
