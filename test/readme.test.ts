/**
 * The README is a promise: every command in it is run here, in its order, and
 * answers with what it shows.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const root = join(import.meta.dirname, "..")
const readme = readFileSync(join(root, "README.md"), "utf8")
const cli = join(root, "packages/trailbook/dist/cli.js")

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

/** What differs from day to day, by its form. */
const form = (value: unknown): unknown => {
  if (typeof value !== "string") return value
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return "<instant>"
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) return "<id>"
  return /^[0-9A-HJKMNP-TV-Z]{8}$/.test(value) && !/^\d{8}$/.test(value) ? "<reference>" : value
}

/** Everything shown is in the answer; an answer may say more. */
const shows = (shown: unknown, answer: unknown, at: string): void => {
  if (Array.isArray(shown)) {
    assert.isArray(answer, at)
    shown.forEach((item, index) => shows(item, Reflect.get(Object(answer), index), `${at}[${index}]`))
  } else if (typeof shown === "object" && shown !== null) {
    for (const [key, value] of Object.entries(shown)) shows(value, Reflect.get(Object(answer), key), `${at}.${key}`)
  } else {
    assert.deepStrictEqual(form(answer), form(shown), at)
  }
}

const until = async (server: ChildProcess, pattern: RegExp): Promise<string> => {
  let printed = ""
  for await (const text of server.stdout ?? []) {
    printed += String(text)
    const found = pattern.exec(printed)?.[1]
    if (found !== undefined) return found
  }
  throw new Error(`The server ended before it was ready: ${printed}`)
}

describe("the README", () => {
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

  it("begins with two commands, and npm start is the demo", () => {
    assert.strictEqual(shell[0], "npm ci\nnpm start\n")
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    assert.strictEqual(scripts.start, "node packages/trailbook/dist/cli.js demo")
  })

  it("tells a story in five calls that answer as it says", () => {
    const at = blocks.findIndex(({ text }) => text.includes("URL="))
    let before = (blocks[at]?.text ?? "").replace("http://127.0.0.1:4000/v1", url)
    let calls = 0
    for (let index = at + 1; blocks[index + 1]?.language === "json"; index += 2) {
      const command = blocks[index]?.text ?? ""
      const { status, stderr, stdout } = run(before + command)
      assert.strictEqual(status, 0, `${command}\n${stderr}`)
      shows(JSON.parse(blocks[index + 1]?.text ?? ""), JSON.parse(stdout), command)
      calls += command.split("curl").length - 1
      before += command.split("\n").filter((line) => /^[A-Z]+=/.test(line)).join("\n") + "\n"
    }
    assert.strictEqual(calls, 5)
  })

  it("makes an outfitter and serves it as it says", async () => {
    const commands = shell.find((text) => text.includes("org create")) ?? ""
    const [create = "", serve = ""] = commands.trim().split("\n").map((line) =>
      line.replace("npx trailbook", `"${process.execPath}" "${cli}"`)
    )
    const made = run(create)
    assert.strictEqual(made.status, 0, made.stderr)
    const key = /tb_live_\w+/.exec(made.stdout)?.[0]
    const args = serve.replace("--port 4000", "--port 0").replaceAll("\"", "").split(" ").slice(1)
    const served = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "ignore"] })
    try {
      const at = await until(served, /(http:\S+)\s/)
      const answer = await fetch(`${at}/org`, { headers: { authorization: `Bearer ${key}` } })
      assert.strictEqual((await answer.json()).name, "Your Outfitter")
    } finally {
      served.kill("SIGTERM")
      await once(served, "exit")
    }
  })

  it("knows every command that it shows", () => {
    for (const [, command = ""] of readme.matchAll(/`(keys \w+|migrate|doctor)`/g)) {
      assert.strictEqual(run(`"${process.execPath}" "${cli}" ${command} --help`).status, 0, command)
    }
  })

  it("names files that are there", () => {
    const links = Array.from(readme.matchAll(/\]\(([^)#:]+)\)/g), ([, path]) => path ?? "")
    const tests = Array.from(readme.matchAll(/`((?:packages|test)\/[^`]+)`/g), ([, path]) => path ?? "")
    for (const path of [...links, ...tests]) assert.isTrue(existsSync(join(root, path)), path)
  })
})
