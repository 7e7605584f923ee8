/** What is on the list of imports, as the linter has it: editors show it while one types. */
import type { Imports } from "./imports.ts"

/** Rules for some files, in `.oxlintrc.json`. */
export interface Override {
  readonly files: ReadonlyArray<string>
  readonly rules: Readonly<Record<string, unknown>>
}

const rule = "no-restricted-imports"

/** An override replaces a rule and does not add to it, so each has this of all files again. */
const barrels = {
  regex: "^(effect|@effect/(platform|platform-node|sql|sql-pg|sql-sqlite-node|experimental))$",
  message: "Import the module (effect/Effect): a barrel costs hundreds of milliseconds at start."
}

/** As in a `.gitignore`: of a folder that is left out nothing can be taken in, so its scope is taken in first. */
const except = (name: string): ReadonlyArray<string> => {
  if (name === "node:") return ["!node:*", "!node:*/**"]
  if (name === "effect") return ["!effect/**"]
  return [`!${name}`, `!${name}/**`]
}

const roleScopes = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(names.filter((name) => name.startsWith("@")).map((name) => name.split("/", 1).join()))]
    .flatMap((scope) => [`!${scope}`, `${scope}/*`])

const overrideOf = ([name, { message, names }]: readonly [string, Imports]): Override => ({
  files: [`packages/${name}/src/**/*.{ts,tsx}`],
  rules: {
    [rule]: [
      "error",
      { patterns: [barrels, { group: ["*", "!.*/**", ...roleScopes(names), ...names.flatMap(except)], message }] }
    ]
  }
})

/** One for each package, then those there are that are about something else. */
export const overrides = (
  imports: Readonly<Record<string, Imports>>,
  before: ReadonlyArray<Override>
): ReadonlyArray<Override> => [
  ...Object.entries(imports).map(overrideOf),
  ...before.filter(({ rules }) => !(rule in rules))
]
