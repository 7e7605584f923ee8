/** Tests that comments, messages, test titles, docs, and names are written in plain technical English. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import { assert, describe, it } from "vitest"
import {
  countedChecks,
  filesBelow,
  hits,
  type Kind,
  oddName,
  readTexts,
  strictChecks,
  type Text,
  textsIn,
  wordsIn
} from "./language/checks.ts"
import { allowedNames, allowedSentences } from "./language/exceptions.ts"

const root = join(import.meta.dirname, "..")

const files = ["packages", "examples", "docs", "test", "bench"].flatMap((folder) => filesBelow(join(root, folder)))
  .map((file) => relative(root, file).replaceAll("\\", "/"))
  .filter((file) => /\.(tsx?|md)$/.test(file) && !/generated|test\/language/.test(file))
  .concat(["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])

const texts: ReadonlyArray<Text> = files.flatMap((file) => readTexts(root, file))
  .filter(({ text }) => !allowedSentences.some((sentence) => text.includes(sentence)))

/** Returns the area of a file: `packages/core`, `packages/core/test`, `examples`, `docs`, `test`, … */
const areaOf = (file: string): string => {
  const [top = "", name, folder] = file.split("/")
  return top !== "packages" ? top : folder === "test" ? `${top}/${name}/test` : `${top}/${name}`
}

/** The maximum number of strict hits per 10,000 words. */
const limits: Readonly<Record<Kind, number>> = { comments: 5, docs: 5, messages: 3, titles: 3 }
const countedLimit = 20

const by = (key: (text: Text) => string): ReadonlyMap<string, ReadonlyArray<Text>> => {
  const groups = new Map<string, Array<Text>>()
  for (const text of texts) {
    const name = key(text)
    groups.set(name, [...groups.get(name) ?? [], text])
  }
  return groups
}

const findHits = (all: ReadonlyArray<Text>, checks = strictChecks): ReadonlyArray<string> =>
  all.flatMap((text) => hits(checks, text).map((hit) => `${text.file}: ${hit} in "${text.text.slice(0, 160)}"`))

describe("text", () => {
  const groups = Array.from(by(({ file, kind }) => `${areaOf(file)} ${kind}`))

  it.each(groups)("%s stay within twice the limit for flagged phrases", (name, all) => {
    const kind = all[0]?.kind ?? "comments"
    const most = Math.max(1, Math.floor(2 * limits[kind] * wordsIn(all) / 10_000))
    const odd = findHits(all)
    assert.isAtMost(odd.length, most, odd.join("\n"))
  })

  it.each(Object.entries(limits))("all %s together stay within the limit for flagged phrases", (kind, limit) => {
    const all = texts.filter((text) => text.kind === kind)
    const odd = findHits(all)
    assert.isAtMost(odd.length * 10_000 / wordsIn(all), limit, odd.join("\n"))
  })

  it("comments stay within the limit for counted constructions", () => {
    const all = texts.filter(({ kind }) => kind === "comments")
    assert.isAtMost(findHits(all, countedChecks).length * 10_000 / wordsIn(all), countedLimit)
  })

  it.each([
    ["comments", "// Whoever waits is told."],
    ["comments", "/**\n * What is due, of the\n * one that nobody has asked for.\n */"],
    ["messages", `const message = "Nothing of it is done, whatever becomes of the booking."`],
    ["titles", `it("says what has happened meanwhile", () => {})`],
    ["docs", "What waits stands in the outbox."]
  ])("is flagged: %s %s", (kind, source) => {
    const all = textsIn(kind === "docs" ? "a.md" : "src/a.ts", source)
    assert.deepStrictEqual([...new Set(all.map((text) => text.kind))], [kind])
    assert.isNotEmpty(findHits(all))
  })

  it("ignores code, examples, and plain sentences", () => {
    const source =
      "/** Waits for the lock, then retries once. Calls `nobody`.\n * @example\n * // whoever\n */\nconst whoever = 1"
    assert.isEmpty(findHits(textsIn("src/a.ts", source)))
  })
})

describe("names", () => {
  const sources = files.filter((file) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(file))

  it("of files are nouns or start with a verb", () => {
    const odd = sources.map((file) => basename(file).replace(/\.tsx?$/, "")).filter((name) => oddName.test(name))
    assert.deepStrictEqual(odd.filter((name) => !allowedNames.has(name)), [])
  })

  it("of exports are nouns or start with a verb", () => {
    const odd = sources.flatMap((file) =>
      Array.from(readFileSync(join(root, file), "utf8").matchAll(/^export (?:const|function|class) (\w+)/gm))
        .map(([, name = ""]) => name)
        .filter((name) => oddName.test(name) && !allowedNames.has(name))
        .map((name) => `${file}: ${name}`)
    )
    assert.deepStrictEqual(odd, [])
  })

  it.each(["drawn", "asked", "momentOf", "without", "whyNone"])("%s is flagged", (name) => {
    assert.match(name, oddName)
  })
})

describe("commits", () => {
  it("have an imperative subject of at most 72 characters without a period", (context) => {
    // A source archive has no Git history.
    const log = (() => {
      try {
        return execFileSync("git", ["log", "-20", "--no-merges", "--format=%s"], {
          cwd: root,
          encoding: "utf8",
          stdio: "pipe"
        })
      } catch {
        return undefined
      }
    })()
    if (log === undefined) return context.skip()
    const odd = log.trim().split("\n").filter((subject) =>
      !/^[A-Z][a-z]+ .{1,65}[^.]$/.test(subject) || subject.length > 72
    )
    assert.deepStrictEqual(odd, [])
  })
})
