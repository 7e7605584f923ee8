/**
 * Checks the deployment files. Docker and systemd validate them if they are installed. Otherwise, the files are parsed,
 * and the CLI's own parser checks their command lines and settings.
 */
import { parseArguments } from "@trailbook/cli/command/parseArguments"
import { readSettings } from "@trailbook/server/setting/readSettings"
import { DockerfileParser } from "dockerfile-ast"
import { validate, ValidationSeverity } from "dockerfile-utils"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it, onTestFinished } from "vitest"
import { parseDocument } from "yaml"

const root = join(import.meta.dirname, "..")
const folder = join(root, "examples/deploy")
const text = (name: string): string => readFileSync(join(folder, name), "utf8")

/** Returns the problems that the CLI reports for a command line and an environment. */
const problems = (line: string, env: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  const result = parseArguments(line.split(/\s+/))
  assert.strictEqual(result._tag, "Call", line)
  return result._tag === "Call"
    ? readSettings(result.command, result.flags, env).problems.map(({ message }) => message)
    : []
}

/** Returns the maximum time that a server takes to stop. */
const stopSeconds = (env: Readonly<Record<string, string>>): number => {
  const { shutdownDelaySeconds, shutdownGraceSeconds } = readSettings("serve", new Map(), env).values
  return shutdownDelaySeconds + shutdownGraceSeconds
}

describe("the Dockerfile", () => {
  it("passes Docker's lint rules", () => {
    const complaints = (dockerfile: string) =>
      validate(dockerfile, {
        emptyContinuationLine: ValidationSeverity.ERROR,
        instructionCasing: ValidationSeverity.ERROR
      })
    assert.deepStrictEqual(complaints(text("Dockerfile")), [])
    assert.isNotEmpty(complaints(text("Dockerfile").replace("WORKDIR /src", "WORKDIRS /src")))
  })

  it("starts a valid command as an unprivileged user", () => {
    const file = DockerfileParser.parse(text("Dockerfile"))
    const last = (name: string) =>
      file.getInstructions().findLast((instruction) => instruction.getInstruction() === name)?.getArgumentsContent() ??
        ""
    assert.strictEqual(last("USER"), "node")
    const [program, cli, ...fixed]: Array<string> = JSON.parse(last("ENTRYPOINT"))
    assert.deepStrictEqual([program, cli], ["node", "/app/node_modules/@trailbook/cli/bin/trailbook.js"])
    const env = Object.fromEntries(
      file.getENVs().flatMap((instruction) => instruction.getProperties()).map((p) => [p.getName(), p.getValue() ?? ""])
    )
    const command: Array<string> = JSON.parse(last("CMD"))
    assert.deepStrictEqual(problems([...fixed, ...command].join(" "), env), [])
    for (const name of Object.keys(env)) assert.match(name, /^(NODE_ENV|TRAILBOOK_[A-Z_]+)$/)
  })

  // This test is opt-in, because a build takes minutes and downloads images. It requires a running Docker daemon.
  it.runIf(process.env["TRAILBOOK_TEST_IMAGE"] === "1" && spawnSync("docker", ["info"]).status === 0)("builds", () => {
    const args = ["build", "--file", join(folder, "Dockerfile"), "--tag", "trailbook-test", root]
    const { status, stderr } = spawnSync("docker", args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 })
    assert.strictEqual(status, 0, stderr.slice(-4000))
    const version = spawnSync("docker", ["run", "--rm", "trailbook-test", "--version"], { encoding: "utf8" })
    assert.match(version.stdout, /^\d+\.\d+\.\d+/)
  }, 1_200_000)
})

describe("the compose file", () => {
  const document = parseDocument(text("compose.yaml"), { merge: true })
  const { configs, services, volumes } = document.toJS()

  it("is valid YAML that references existing files", () => {
    assert.deepStrictEqual([document.errors, document.warnings], [[], []])
    for (const [name, service] of Object.entries<Record<string, never>>(services)) {
      for (const other of Object.keys(service["depends_on"] ?? {})) assert.property(services, other, name)
      for (const volume of Object.values<string>(service["volumes"] ?? [])) {
        assert.property(volumes, volume.split(":", 1).join(), name)
      }
      for (const { source } of Object.values<{ source: string }>(service["configs"] ?? [])) {
        assert.property(configs, source)
      }
      assert.isTrue("image" in service || "build" in service, name)
    }
    const { context, dockerfile } = services.trailbook.build
    assert.include(readdirSync(join(folder, context)), "package.json")
    assert.isNotEmpty(readFileSync(join(folder, context, dockerfile), "utf8"))
  })

  it("contains only known settings", () => {
    const variables = {
      BOOK_HOST: "book.example.com",
      POSTGRES_PASSWORD: "p",
      TRAILBOOK_SECRETS_KEYS: `k1:${"A".repeat(43)}=`
    }
    const env = Object.fromEntries(
      Object.entries<string>(services.trailbook.environment).map(([name, value]) => [
        name,
        value.replace(/\$\{(\w+)(?::\?[^}]*)?\}/g, (_, variable: string) => Reflect.get(variables, variable) ?? "")
      ])
    )
    assert.deepStrictEqual(problems("serve", env), [])
    const shut = Number.parseInt(services.trailbook.stop_grace_period, 10)
    assert.isAbove(shut, stopSeconds(env))
  })

  // `docker compose config` only reads the file, so it works without a daemon.
  it.runIf(spawnSync("docker", ["compose", "version"]).status === 0)("is valid for docker compose", () => {
    const env = {
      ...process.env,
      BOOK_HOST: "book.example.com",
      POSTGRES_PASSWORD: "p",
      TRAILBOOK_SECRETS_KEYS: "k1:a"
    }
    const { status, stderr } = spawnSync("docker", [
      "compose",
      "--file",
      join(folder, "compose.yaml"),
      "config",
      "--quiet"
    ], {
      encoding: "utf8",
      env
    })
    assert.strictEqual(status, 0, stderr)
  })
})

describe("the systemd units", () => {
  const units = ["trailbook.service", "trailbook-backup.service", "trailbook-backup.timer"]

  it("start valid commands with their settings", () => {
    for (const name of units.filter((name) => name.endsWith(".service"))) {
      const unit = text(name)
      const env = Object.fromEntries(
        Array.from(unit.matchAll(/^Environment=(\w+)=(.+)$/gm), ([, name = "", value = ""]) => [name, value])
      )
      const [, line = ""] = /^ExecStart=.*trailbook\.js (.+?)'?$/m.exec(unit) ?? []
      // Replace the unit's subshell with a value that the shell could produce.
      assert.deepStrictEqual(problems(line.replace(/\$\$\(.*?\)/, "2027-05-01T0600"), env), [], name)
    }
  })

  it("give the server more time to stop than it needs", () => {
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(text("trailbook.service")) ?? []
    // 5 seconds is the delay that the page recommends for rolling restarts.
    assert.isAbove(Number(seconds), stopSeconds({ TRAILBOOK_SHUTDOWN_DELAY_SECONDS: "5" }))
  })

  const analyze = spawnSync("systemd-analyze", ["--version"])
  it.runIf(analyze.status === 0)("pass systemd's verification", () => {
    const copies = mkdtempSync(join(tmpdir(), "trailbook-units-"))
    onTestFinished(() => rmSync(copies, { recursive: true }))
    const verify = (change: (unit: string) => string) => {
      for (const name of units) {
        // Node may be installed elsewhere on this machine.
        writeFileSync(join(copies, name), change(text(name).replaceAll("/usr/bin/node", process.execPath)))
      }
      const { status, stderr } = spawnSync("systemd-analyze", [
        "verify",
        "--man=no",
        ...units.map((name) => join(copies, name))
      ], {
        encoding: "utf8"
      })
      return { status, ours: stderr.split("\n").filter((line) => line.includes("trailbook")).join("\n") }
    }
    assert.deepStrictEqual(verify((unit) => unit), { status: 0, ours: "" })
    assert.match(verify((unit) => unit.replace("RestartSec=2", "RestartSecs=2")).ours, /RestartSecs/)
  })
})
