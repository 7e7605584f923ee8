import { OperatorError } from "@trailbook/runtime"
import { execFile } from "node:child_process"
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { folder } from "../../../cli/test/program.ts"
import { createKeyFile, getKeyFilePath, readKeyFile } from "../../src/secrets/loadEncryptionKeys.ts"

const built = pathToFileURL(join(import.meta.dirname, "../../dist/secrets/loadEncryptionKeys.js")).href

describe("the key file", () => {
  it("is stored next to the database and named after it", () => {
    expect(getKeyFilePath({ _tag: "Sqlite", file: "data/trailbook.sqlite" })).toBe("data/trailbook.sqlite.keys")
  })

  it("is created once, accessible only to its owner", () => {
    const path = join(folder(), "deep", "a.keys")
    expect(readKeyFile(path)).toBeUndefined()
    const key = createKeyFile(path)
    expect(key).toMatch(/^k1:[\w+/]{43}=$/)
    expect(createKeyFile(path)).toBe(key)
    expect(readKeyFile(path)).toBe(key)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(path, ".."))).toEqual(["a.keys"])
  })

  it("is created only once by concurrent servers", async () => {
    const path = join(folder(), "a.keys")
    const program = `
      import { createKeyFile } from ${JSON.stringify(built)}
      process.stdout.write(createKeyFile(${JSON.stringify(path)}))
    `
    const run = promisify(execFile)
    const outputs = await Promise.all(
      Array.from({ length: 6 }, () => run(process.execPath, ["--input-type=module", "-e", program]))
    )
    expect(new Set(outputs.map(({ stdout }) => stdout))).toEqual(new Set([readFileSync(path, "utf8").trim()]))
  })

  it("is never overwritten", () => {
    const path = join(folder(), "a.keys")
    writeFileSync(path, "mine\n")
    chmodSync(path, 0o600)
    expect(createKeyFile(path)).toBe("mine")
  })

  it("is reported with an alternative if it cannot be created", () => {
    const file = join(folder(), "file")
    writeFileSync(file, "")
    expect(() => createKeyFile(join(file, "a.keys"))).toThrow(OperatorError)
    const directory = join(folder(), "a.keys")
    mkdirSync(directory)
    expect(() => createKeyFile(directory)).toThrow(/TRAILBOOK_SECRETS_KEYS/)
  })
})
