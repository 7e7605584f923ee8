/**
 * Runs every command in the quickstart in order, starting in an empty folder, and compares the output with the page.
 * `npm install` is replaced with a link to this workspace.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, it } from "vitest"
import { type Block, readPage, root } from "./Page.ts"
import { assertShows } from "./shows.ts"

const page = readPage("docs/quickstart.md")
const address = "http://127.0.0.1:4000/v1"

let folder: string
let server: ChildProcess | undefined
let url = address

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "trailbook-quickstart-"))
})
afterAll(async () => {
  if (server !== undefined && server.exitCode === null) {
    server.kill("SIGTERM")
    await once(server, "exit")
  }
  await rm(folder, { recursive: true })
})

/** Rewrites a script to use this workspace and a free port. */
const here = (script: string): string =>
  script
    .replaceAll("npx ", "node_modules/.bin/")
    .replace(
      /^npm install (--save-dev )?[\w@/]+$/gm,
      `test -e node_modules || ln -s "${root}/node_modules" node_modules`
    )
    .replaceAll("--port 4000", "--port 0")
    .replaceAll(address, url)

const run = (script: string, cwd: string): string => {
  const { status, stderr, stdout } = spawnSync("bash", ["-euo", "pipefail", "-c", here(script)], {
    cwd,
    encoding: "utf8"
  })
  assert.strictEqual(status, 0, `${script}\n${stdout}${stderr}`)
  return stdout
}

/** Replaces instants, IDs, and other values that change with each run. */
const form = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<instant>")
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>")
    .replace(/"(?=\w*[A-Z])[0-9A-HJKMNP-TV-Z]{8}"/g, "\"<reference>\"")

const formOf = (text: string): unknown => JSON.parse(form(text))

const serve = async (command: string, cwd: string): Promise<string> => {
  server = spawn("bash", ["-c", `exec ${here(command)}`], { cwd, stdio: ["ignore", "pipe", "ignore"] })
  const [line] = await once(server.stdout ?? assert.fail("no output"), "data")
  url = /http:\S+/.exec(String(line))?.[0] ?? assert.fail(String(line))
  return String(line).replace(url, address)
}

it("every command in the quickstart prints the output shown there", async () => {
  const raft = join(folder, "raft")
  let variables = ""
  let comparisons = 0
  let last = ""
  let source = ""
  const look: Record<string, (text: string) => void> = {
    json: (text) => {
      assertShows(formOf(text), formOf(last), text)
      comparisons += 1
    },
    text: (text) => {
      assert.include(last, text.trim())
      comparisons += 1
    },
    ts: (text) => {
      source = text
      writeFileSync(join(raft, "book.ts"), here(text))
    },
    sh: () => {}
  }
  const act = async ({ language, text }: Block) => {
    look[language]?.(text)
    if (language !== "sh") return
    const lines = text.trim().split("\n")
    const serveCommand = lines.find((line) => line.startsWith("npx trailbook serve"))
    last = run(
      variables + lines.filter((line) => line !== serveCommand).join("\n"),
      text.startsWith("mkdir") ? folder : raft
    )
    if (serveCommand !== undefined) last = await serve(serveCommand, raft)
    variables += here(`${lines.filter((line) => /^[A-Z]+=|^pick\(\)/.test(line)).join("\n")}\n`)
  }
  for (const block of page.blocks) {
    assert.property(look, block.language)
    await act(block)
  }
  assert.strictEqual(comparisons, 10)
  assert.isNotEmpty(source)
})

it("the quickstart's program compiles as strict TypeScript", () => {
  const options = [
    "--ignoreConfig",
    "--noEmit",
    "--strict",
    "--target",
    "es2022",
    "--module",
    "nodenext",
    "--types",
    "node"
  ]
  const { status, stdout } = spawnSync(join(root, "node_modules/.bin/tsc"), [...options, "book.ts"], {
    cwd: join(folder, "raft"),
    encoding: "utf8"
  })
  assert.strictEqual(status, 0, stdout)
})
