/**
 * Tests that the documentation is consistent: generated pages match the code, all links resolve, and the index is
 * complete.
 */
import { getHttpStatus, refusalCodes } from "@trailbook/core"
import { eventTypes } from "@trailbook/core/event"
import { existsSync, readdirSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { assert, describe, expect, it } from "vitest"
import { type Page, parsePage, prose, readPage, root } from "./docs/Page.ts"
import { anchor } from "./docs/reference/markdown.ts"
import { pages } from "./docs/reference/pages.ts"
import { allLaws } from "./laws/engineLaws.ts"

const filesIn = (folder: string, extension: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(extension))
    .map(({ name, parentPath }) => relative(root, join(parentPath, name)))

const documentation = filesIn("docs", ".md")
const all = [
  ...documentation,
  "README.md",
  "CONTRIBUTING.md",
  "llms.txt",
  ...readdirSync(join(root, "packages")).map((name) => `packages/${name}/README.md`).filter((path) =>
    existsSync(join(root, path))
  )
]

describe("the reference (npm run docs writes it)", () => {
  it.each(Object.entries(pages))("%s matches the code", (path, make) => {
    expect(readPage(path).text).toBe(make())
  })

  it("lists every refusal with its status", () => {
    const sections = new Map(
      readPage("docs/reference/errors.md").text.split(/^## /m).map((text) => [
        text.slice(0, text.indexOf("\n")),
        text
      ])
    )
    for (const code of refusalCodes) assert.include(sections.get(code), `Status ${getHttpStatus(code)}.`)
    assert.include(sections.get("too_large"), "431")
  })

  it("contains every event type", () => {
    const { text } = readPage("docs/reference/events.md")
    for (const type of eventTypes) assert.include(text, `| \`${type}\` |`)
  })
})

it("install commands use the version of Effect that the packages use", () => {
  const lines = all.flatMap((path) => readPage(path).text.match(/^npm install .*$/gm) ?? [])
  const withEffect = lines.filter((line) => /\seffect\b/.test(line))
  assert.isAbove(withEffect.length, 10)
  for (const line of withEffect) assert.match(line, /\seffect@3(\s|$)/)
})

interface Link {
  readonly path: string
  readonly anchor: string | undefined
}

/** Returns the relative links on a page. External links are not checked. */
const linksOf = (page: Page): ReadonlyArray<Link> =>
  Array.from(prose(page).matchAll(/\]\(([^)\s]+)\)/g), ([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = "", anchor] = target.split("#")
      return { path: path === "" ? page.path : join(dirname(page.path), path), anchor }
    })

/** Returns the anchors that GitHub generates. A repeated heading gets a numeric suffix. */
const anchorsOf = (page: Page): ReadonlySet<string> => {
  const counts = new Map<string, number>()
  return new Set(
    Array.from(prose(page).matchAll(/^#{1,6} (.+)$/gm), ([, heading = ""]) => {
      const name = anchor(heading.replaceAll("`", "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1"))
      const times = counts.get(name) ?? 0
      counts.set(name, times + 1)
      return times === 0 ? name : `${name}-${times}`
    })
  )
}

const findBrokenLinks = (page: Page): ReadonlyArray<string> =>
  linksOf(page).flatMap(({ anchor, path }) => {
    if (path !== page.path && !existsSync(join(root, path))) return [`${path} is not there`]
    return anchor === undefined || anchorsOf(path === page.path ? page : readPage(path)).has(anchor)
      ? []
      : [`${path} has no #${anchor}`]
  })

/** Pages whose references to tests and modules are checked. Other pages can name files in the reader's own project. */
const evidence = all.filter((path) =>
  /^README|^docs\/(concepts\/|laws|architecture|reliability|performance)/.test(path)
)

/**
 * Returns the paths of files and folders that a page mentions but that do not exist in this repository. A path with `*`
 * is not checked.
 */
const absent = (page: Page): ReadonlyArray<string> =>
  Array.from(prose(page).matchAll(/`((?:packages|test|docs|examples|bench)\/[^`\s*]+)`/g), ([, path = ""]) => path)
    .filter((path) => !existsSync(join(root, path)))

/** Returns keys of laws, or families such as `events/*`, that a page names but the law suite does not contain. */
const lawless = (page: Page): ReadonlyArray<string> => {
  const families = new Set(allLaws.map(({ key }) => key.slice(0, key.indexOf("/") + 1)))
  return Array.from(prose(page).matchAll(/`([a-z]+\/)([a-z*-]+)`/g), ([, family = "", rest = ""]) => ({ family, rest }))
    .filter(({ family }) => families.has(family))
    .map(({ family, rest }) => family + rest)
    .filter((name) => !allLaws.some(({ key }) => name.endsWith("*") ? key.startsWith(name.slice(0, -1)) : key === name))
}

describe("links have existing targets", () => {
  it.each(all)("%s", (path) => {
    assert.deepStrictEqual(findBrokenLinks(readPage(path)), [])
  })

  it.each(evidence)("%s names existing files and laws", (path) => {
    assert.deepStrictEqual(absent(readPage(path)), [])
    assert.deepStrictEqual(lawless(readPage(path)), [])
  })

  it("control: detects a broken link", () => {
    const page = parsePage(
      "docs/wrong.md",
      "# One\n\n[a](nowhere.md) [b](laws.md#nothing) [c](#one) [d](#two)\n`test/nothing.ts` `races/never` `races/class-*`\n"
    )
    assert.deepStrictEqual(findBrokenLinks(page), [
      "docs/nowhere.md is not there",
      "docs/laws.md has no #nothing",
      "docs/wrong.md has no #two"
    ])
    assert.deepStrictEqual(absent(page), ["test/nothing.ts"])
    assert.deepStrictEqual(lawless(page), ["races/never"])
  })
})

it("the docs index lists every page", () => {
  const linked = new Set(linksOf(readPage("docs/README.md")).map(({ path }) => path))
  for (const path of documentation) {
    assert.isTrue(path === "docs/README.md" || linked.has(path) || linked.has(dirname(path)), path)
  }
})

it.each(["llms.txt", "docs/README.md"])("%s lists every page once", (index) => {
  const paths = linksOf(readPage(index)).filter(({ anchor }) => anchor === undefined).map(({ path }) => path)
  assert.deepStrictEqual(paths.filter((path, at) => paths.indexOf(path) !== at), [])
})

it("llms.txt lists every indexed page", () => {
  const knownPaths = new Set(linksOf(readPage("llms.txt")).map(({ path }) => path))
  const linked = linksOf(readPage("docs/README.md")).map(({ path }) => path).filter((path) => path.endsWith(".md"))
  for (const path of linked) assert.isTrue(knownPaths.has(path), path)
})

it("every code block in the docs declares a language and is closed", () => {
  for (const path of all) {
    const fences = Array.from(readPage(path).text.matchAll(/^```(.*)$/gm), ([, language]) => language)
    assert.strictEqual(fences.length % 2, 0, path)
    fences.forEach((language, at) => assert.strictEqual(language !== "", at % 2 === 0, `${path}, fence ${at}`))
  }
})
