/** Runs the commands and the code sample in the README and compares their output with the README. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { isLong } from "./runs.ts"

const root = join(import.meta.dirname, "..")
const readme = readFileSync(join(root, "README.md"), "utf8")
const cli = join(root, "packages/cli/dist/cli.js")

interface Block {
  readonly language: string
  readonly text: string
}

const blocks: ReadonlyArray<Block> = Array.from(
  readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm),
  ([, language, text]) => ({
    language: language ?? "",
    text: text ?? ""
  })
)
const shell = blocks.filter(({ language }) => language === "sh").map(({ text }) => text)

const until = async (server: ChildProcess, pattern: RegExp): Promise<string> => {
  let printed = ""
  for await (const text of server.stdout ?? []) {
    printed += String(text)
    const match = pattern.exec(printed)?.[1]
    if (match !== undefined) return match
  }
  throw new Error(`The server ended before it was ready: ${printed}`)
}

describe("the README", () => {
  it("starts with npm ci and npm start, which runs the demo", () => {
    assert.strictEqual(shell[0], "npm ci\nnpm start\n")
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    assert.strictEqual(scripts.start, "node packages/cli/dist/cli.js demo")
  })

  it("contains at most 900 words", () => {
    assert.isAtMost(readme.split(/\s+/).length, 900)
  })

  it("links only to existing files", () => {
    const links = Array.from(readme.matchAll(/\]\(([^)#:]+)\)/g), ([, path]) => path ?? "")
    const tests = Array.from(readme.matchAll(/`((?:packages|test)\/[^`]+)`/g), ([, path]) => path ?? "")
    for (const path of [...links, ...tests]) assert.isTrue(existsSync(join(root, path)), path)
  })
})

describe.runIf(isLong)("the README, run as written", () => {
  let folder: string
  let server: ChildProcess
  let url: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "trailbook-readme-"))
    server = spawn(process.execPath, [cli, "demo", "--port", "0"], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] })
    url = await until(server, /ready at (\S+)\s/)
  })
  afterAll(async () => {
    server.kill("SIGTERM")
    await once(server, "exit")
    await rm(folder, { recursive: true })
  })

  const run = (script: string) =>
    spawnSync("bash", ["-euo", "pipefail", "-c", script], { cwd: folder, encoding: "utf8" })

  it("shows the output that its code sample prints", () => {
    const sample = blocks.findIndex(({ language }) => language === "ts")
    const script = join(folder, "sample.mts")
    writeFileSync(script, blocks[sample]?.text ?? "")
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
    const { status, stderr, stdout } = run(`"${process.execPath}" --import tsx "${script}"`)
    assert.strictEqual(status, 0, stderr)
    assert.strictEqual(stdout, blocks[sample + 1]?.text)
  })

  it("links to the demo's booking page", async () => {
    const path = /<http:\/\/127\.0\.0\.1:4000(\/book\/[^>]+)>/.exec(readme)?.[1] ?? ""
    const response = await fetch(new URL(path, url))
    assert.strictEqual(response.status, 200)
    assert.include(await response.text(), "Browns Canyon")
  })

  it("creates an outfitter and serves it", async () => {
    const commands = shell.find((text) => text.includes("org create")) ?? ""
    const [create = "", serve = ""] = commands.trim().split("\n").map((line) =>
      line.replace("npx trailbook", `"${process.execPath}" "${cli}"`)
    )
    const creation = run(create)
    assert.strictEqual(creation.status, 0, creation.stderr)
    const key = /tb_live_\w+/.exec(creation.stdout)?.[0]
    const args = serve.replace("--port 4000", "--port 0").replaceAll("\"", "").split(" ").slice(1)
    const server = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "ignore"] })
    try {
      const at = await until(server, /(http:\S+)\s/)
      const answer = await fetch(`${at}/org`, { headers: { authorization: `Bearer ${key}` } })
      assert.strictEqual((await answer.json()).name, "Your Outfitter")
    } finally {
      server.kill("SIGTERM")
      await once(server, "exit")
    }
  })
})
