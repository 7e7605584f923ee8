/** Runs Prometheus with the documented configuration on a real server. */
import { startServer } from "@trailbook/server"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it, onTestFinished, vi } from "vitest"
import { freePort } from "./freePort.ts"

const deploy = join(import.meta.dirname, "../examples/deploy")
const text = (name: string): string => readFileSync(join(deploy, name), "utf8")

const dashboard: { panels: Array<{ targets: Array<{ expr: string }> }> } = JSON.parse(text("grafana-dashboard.json"))
const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

const documented = new Set(text("../../docs/how-to/monitor.md").match(/(?<=`)trailbook_\w+/g))
const namesIn = (text: string): ReadonlyArray<string> =>
  (text.match(/trailbook_\w+/g) ?? []).map((name) => name.replace(/(?<=_seconds|_size)_(?:bucket|count|sum)$/, ""))

const hasPrometheus = ["prometheus", "promtool"].every((name) => spawnSync(name, ["--version"]).status === 0)

describe("the monitoring files", () => {
  it("use every documented metric, and no others", () => {
    for (const name of namesIn(text("prometheus-alerts.yml"))) assert.isTrue(documented.has(name), name)
    assert.deepStrictEqual(new Set(expressions.flatMap(namesIn)), documented)
  })

  it("work in Prometheus", async (context) => {
    if (!hasPrometheus) return context.skip("Prometheus is not installed.")
    const promtool = spawnSync("promtool", ["check", "rules", join(deploy, "prometheus-alerts.yml")], {
      encoding: "utf8"
    })
    assert.strictEqual(promtool.status, 0, promtool.stderr)

    const folder = mkdtempSync(join(tmpdir(), "trailbook-prometheus-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [port, metricsPort] = [await freePort(), await freePort()]
    const server = await startServer({
      database: { _tag: "Sqlite", file: join(folder, "trailbook.sqlite") },
      port: 0,
      metricsPort
    })
    onTestFinished(server.stop)
    copyFileSync(join(deploy, "prometheus-alerts.yml"), join(folder, "prometheus-alerts.yml"))
    const config = text("prometheus.yml").replace("127.0.0.1:9400", `127.0.0.1:${metricsPort}`).replace("15s", "1s")
    writeFileSync(join(folder, "prometheus.yml"), config)
    const child = spawn("prometheus", [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`
    ], { stdio: "ignore" })
    const exit = once(child, "exit")
    onTestFinished(async () => {
      child.kill("SIGKILL")
      await exit
    })
    const get = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`).catch(() => undefined)
      // Prometheus responds with 503 until it has started.
      return response === undefined || response.status === 503 ? undefined : response.json()
    }
    const query = (expression: string) => get(`query?query=${encodeURIComponent(expression)}`)

    await fetch(`${server.origin}/livez`)
    const sample = await vi.waitUntil(
      async () => (await query("trailbook_http_request_duration_seconds_count"))?.data?.result[0],
      { timeout: 60_000, interval: 200 }
    )
    assert.include(sample.metric, { job: "trailbook", operation: "/livez", status: "200" })
    for (const expression of expressions) assert.strictEqual((await query(expression)).status, "success", expression)
    const { data } = await get("rules")
    assert.strictEqual(data.groups[0].rules.length, text("prometheus-alerts.yml").match(/- alert:/g)?.length)
  })
})
