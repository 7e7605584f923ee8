import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseSync, Visitor } from "oxc-parser"

/** A regular expression in the sources. */
export interface Pattern {
  readonly regex: RegExp
  /** The paths of the files that contain the expression, relative to `packages`. */
  readonly files: ReadonlyArray<string>
}

const packages = join(import.meta.dirname, "../../packages")

/**
 * Finds every regular expression in `packages`. Finds literals by parsing, and `new RegExp` expressions by loading the
 * module that builds them.
 */
export const patternsOf = async (): Promise<ReadonlyArray<Pattern>> => {
  const patterns = new Map<string, { readonly regex: RegExp; readonly files: Set<string> }>()
  const add = (regex: RegExp, file: string): void => {
    const pattern = patterns.get(String(regex)) ?? { regex, files: new Set() }
    patterns.set(String(regex), pattern)
    pattern.files.add(file)
  }
  for (const file of sourceFiles()) {
    const path = join(packages, file)
    let isBuilt = false
    new Visitor({
      Literal: (node) => {
        if ("regex" in node) add(new RegExp(node.regex.pattern, node.regex.flags), file)
      },
      NewExpression: ({ callee }) => {
        if (callee.type === "Identifier" && callee.name === "RegExp") isBuilt = true
      }
    }).visit(parseSync(path, readFileSync(path, "utf8")).program)
    if (isBuilt) { for (const regex of await builtBy(path)) add(regex, file) }
  }
  return [...patterns.values()].map(({ files, regex }) => ({ regex, files: [...files] }))
}

const sourceFiles = (): ReadonlyArray<string> =>
  readdirSync(packages).flatMap((name) =>
    readdirSync(join(packages, name, "src"), { recursive: true, encoding: "utf8" })
      .filter((path) => /\.(?:ts|tsx|js)$/.test(path))
      .map((path) => join(name, "src", path))
  )

/** Records calls to the RegExp constructor while the module is evaluated. */
const builtBy = async (path: string): Promise<ReadonlyArray<RegExp>> => {
  const original = globalThis.RegExp
  const built: Array<RegExp> = []
  globalThis.RegExp = new Proxy(original, {
    construct: (target, [pattern, flags]: [string, string | undefined]) => {
      const regex = new target(pattern, flags)
      built.push(regex)
      return regex
    }
  })
  try {
    await import(path)
  } finally {
    globalThis.RegExp = original
  }
  return built
}
