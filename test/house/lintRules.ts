/** Converts the list of imports to linter rules, so that editors report violations. */
import type { Imports } from "./imports.ts"

export interface Override {
  readonly files: ReadonlyArray<string>
  readonly rules: Readonly<Record<string, unknown>>
}

const rule = "no-restricted-imports"

/** An override replaces a rule instead of extending it, so each override repeats the patterns for all files. */
const barrels = {
  regex: "^(effect|@effect/(platform|platform-node|sql|sql-pg|sql-sqlite-node|experimental))$",
  message: "Import the module (effect/Effect): a barrel costs hundreds of milliseconds at start."
}

/**
 * The patterns follow `.gitignore` rules: a file in an ignored folder cannot be included, so the folder is included
 * first.
 */
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

/** Returns one override per package, followed by the existing overrides for other subjects. */
export const overrides = (
  imports: Readonly<Record<string, Imports>>,
  before: ReadonlyArray<Override>
): ReadonlyArray<Override> => [
  ...Object.entries(imports).map(overrideOf),
  ...before.filter(({ rules }) => !(rule in rules))
]
