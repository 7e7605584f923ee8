/** Runs the commands on the pages for operators, and checks that the messages on these pages exist in the code. */
import { parseArguments } from "@trailbook/cli/command/parseArguments"
import { readSettings } from "@trailbook/server/setting/readSettings"
import { settingEntries } from "@trailbook/server/setting/settings"
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { type Page, parsePage, prose, readPage, root } from "./Page.ts"
import { tell } from "./story.ts"

const cli = join(root, "packages/cli/bin/trailbook.js")
const pages = ["deploy", "back-up-and-restore", "upgrade", "troubleshooting"].map((name) => `docs/how-to/${name}.md`)

/** Returns every `trailbook` command line on a page, in code blocks and in running text. */
const commandsOn = (page: Page): ReadonlyArray<string> => [
  ...page.blocks.flatMap(({ text }) =>
    Array.from(
      text.matchAll(/^(?:.*[ (/])?(?:npx trailbook|trailbook\.js|docker run .* trailbook) (.+)$/gm),
      ([, line = ""]) => line
    )
  ),
  ...Array.from(prose(page).matchAll(/`(?:npx )?trailbook (?!…)([^`]+)`/g), ([, line = ""]) => line)
]

/** Splits a command line into arguments, as a shell does. */
const words = (line: string): ReadonlyArray<string> =>
  Array.from(line.matchAll(/"([^"]*)"|([^\s"]+)/g), ([, quotedText, plainText]) => quotedText ?? plainText ?? "")

/**
 * Returns the problem with a command line, or undefined if it is valid. Flags must be correct, but required values can
 * be missing.
 */
const complaint = (line: string): string | undefined => {
  const args = words(line.replace(/[")]+$/, (end) => end.startsWith("\"") && !end.includes(")") ? end : "")).filter((
    word
  ) => word !== "…")
  try {
    const result = parseArguments(args)
    if (result._tag !== "Call") return undefined
    return readSettings(result.command, result.flags, {}).problems.map(({ message }) => message)
      .find((message) => !message.includes("is required"))
  } catch (error) {
    // `trailbook … --database …` names the flag and leaves its value to the reader.
    const message = error instanceof Error ? error.message : String(error)
    return / requires a value: /.test(message) ? undefined : message
  }
}

describe("every documented command is valid", () => {
  it.each([...pages, "docs/how-to/take-payments.md", "docs/concepts/requests.md", "README.md"])("%s", (path) => {
    const commands = commandsOn(readPage(path))
    assert.isAtLeast(commands.length, 2)
    for (const line of commands) assert.isUndefined(complaint(line), line)
  })

  it("control: the check detects an invalid command", () => {
    const [line = ""] = commandsOn(parsePage("page", "Run `npx trailbook keys make --org a`."))
    assert.match(complaint(line) ?? "", /Unknown command "keys make"/)
  })
})

describe("the documented steps work in an empty folder", () => {
  it.each(["back-up-and-restore", "upgrade"])("%s", async (name) => {
    const folder = await mkdtemp(join(tmpdir(), "trailbook-page-"))
    try {
      let last = ""
      for (const { language, text } of readPage(`docs/how-to/${name}.md`).blocks) {
        if (language === "text") {
          // The steps for Postgres require a server.
          if (!text.includes("postgres://")) assert.include(last, text.trim())
          continue
        }
        const { status, stderr, stdout } = spawnSync(
          "bash",
          ["-euo", "pipefail", "-c", text.replaceAll("npx trailbook", `"${process.execPath}" "${cli}"`)],
          { cwd: folder, encoding: "utf8" }
        )
        assert.strictEqual(status, 0, `${text}\n${stdout}${stderr}`)
        last = stdout
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it("requests", async () => {
    assert.isAbove(await tell(readPage("docs/concepts/requests.md")), 5)
  })
})

describe("the troubleshooting page", () => {
  const sources = readdirSync(join(root, "packages"), { recursive: true, withFileTypes: true })
    .filter((entry) =>
      entry.isFile() && entry.name.endsWith(".ts") && /\/src(\/|$)/.test(entry.parentPath) &&
      !entry.parentPath.includes("node_modules")
    )
    .map(({ name, parentPath }) => readFileSync(join(parentPath, name), "utf8"))
    .join("\n")
    // A message can be concatenated from several lines and values.
    .replace(/["`] \+\s*["`]/g, "")
  const page = readPage("docs/how-to/troubleshooting.md")
  const messages = Array.from(page.text.matchAll(/^\| `([^`]+)` \|/gm), ([, text = ""]) => text)

  /** Returns a message's constant parts, which must appear in the code. */
  const partsOf = (text: string): ReadonlyArray<string> =>
    text.split("…").map((part) => part.replace(/^[\s.]+|[\s.]+$/g, "")).filter((part) => part.length > 3)

  it("quotes only text that occurs in the code", () => {
    assert.isAbove(messages.length, 15)
    for (const text of messages) for (const part of partsOf(text)) assert.include(sources, part, text)
  })

  it("names only existing error codes", () => {
    const codes = readPage("docs/reference/errors.md").text
    const namedCodes = Array.from(page.text.matchAll(/\b(?:401|403|404|409|429|503) `(\w+)`/g), ([, code = ""]) => code)
    assert.isAbove(namedCodes.length, 3)
    for (const code of namedCodes) assert.include(codes, `## ${code}`)
  })
})

describe("the glossary", () => {
  const entries = Array.from(
    readPage("docs/glossary.md").text.matchAll(/^\| ([a-z][a-z ]+) \| (.+) \|$/gm),
    ([, word = ""]) => word
  )
    .filter((word) => word !== "term")

  it("contains every term once, in alphabetical order", () => {
    assert.isAbove(entries.length, 40)
    assert.deepStrictEqual(entries, [...new Set(entries)].toSorted((a, b) => a.localeCompare(b)))
  })

  it("contains the API's resources", () => {
    for (
      const word of [
        "offering",
        "session",
        "slot",
        "hold",
        "claim",
        "handle",
        "reference",
        "task",
        "event",
        "delivery"
      ]
    ) {
      assert.include(entries, word)
    }
  })
})

it("the docs name only variables that are settings", () => {
  const knownNames = new Set(settingEntries.flatMap(([, { env }]) => env))
  for (const path of [...pages, "README.md"]) {
    // `TRAILBOOK_` alone is the common prefix.
    for (const [name] of readPage(path).text.matchAll(/TRAILBOOK_[A-Z_]+/g)) {
      assert.isTrue(knownNames.has(name), `${path}: ${name}`)
    }
  }
})
