import { startServer } from "@trailbook/server"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { freePort } from "../../../test/freePort.ts"
import { startPostgres } from "../../../test/postgres/server.ts"

const secretsKeys = `k1:${Buffer.alloc(32, 7).toString("base64")}`

describe("a server started without its database", () => {
  it("is alive but not ready", async () => {
    const [port, databasePort] = [await freePort(), await freePort()]
    const status = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`)
      return [response.status, response.headers.get("retry-after")]
    }
    const lines: Array<string> = []
    const starting = startServer({
      database: {
        _tag: "Postgres",
        url: `postgres://postgres@127.0.0.1:${databasePort}/postgres`,
        schema: "trailbook",
        prepare: true
      },
      awaitsDatabase: true,
      secretsKeys,
      port,
      log: { write: (line) => void lines.push(line), flush: () => {} }
    })
    await vi.waitFor(async () => expect(await status("/livez")).toEqual([200, null]), 10_000)
    expect(await status("/readyz")).toEqual([503, "1"])
    expect(await status("/v1/org")).toEqual([503, "1"])
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(["Waiting for the database"])

    const postgres = await startPostgres({ fsync: false, port: databasePort })
    onTestFinished(postgres.stop)
    const server = await starting
    onTestFinished(server.stop)
    expect(await status("/readyz")).toEqual([200, null])
    expect(await status("/v1/org")).toEqual([401, null])
  }, 60_000)

  it("fails immediately unless it is set to wait", async () => {
    const database = {
      _tag: "Postgres",
      url: "postgres://me@127.0.0.1:1/d",
      schema: "trailbook",
      prepare: true
    } as const
    await expect(startServer({ database, secretsKeys, port: 0 })).rejects.toThrow("ECONNREFUSED")
  })
})
