import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createDatabase, type Database } from "../../../../test/postgres/database.ts"
import { answer, folder, request, serving, trailbook } from "./program.ts"

let database: Database

beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const named = (schema: string) => ["--database", `${database.url}?schema=${schema}`]
const org = (schema: string) => [
  "org",
  "create",
  ...named(schema),
  "--name",
  "Salida River Co.",
  "--timezone",
  "America/Denver"
]

const offering = { name: "Browns Canyon", kind: "class", capacity: 1 }

describe("on Postgres", () => {
  it("migrate makes the tables and then finds nothing to do", async () => {
    const cwd = folder()
    const migrate = ["migrate", ...named("migrated")]
    expect(await answer(migrate, { cwd })).toMatchObject({ applied: ["create"] })
    expect((await trailbook(migrate, { cwd })).stdout).toMatch(/\(schema migrated\) is up to date; there was nothing/)
  })

  it("two servers that start on an empty schema sell one seat once, and both show it", async () => {
    const cwd = folder()
    const serve = ["serve", ...named("shared"), "--port", "0", "--rate-limit", "0"]
    const servers = await Promise.all([serving(serve, { cwd }), serving(serve, { cwd })])
    const { api_key } = await answer(org("shared"), { cwd })
    const [first, second] = servers.map(({ baseUrl }) => baseUrl)
    const post = (baseUrl: string | undefined, path: string, body: object) =>
      request(`${baseUrl}${path}`, api_key, { method: "POST", body: JSON.stringify(body) })

    const { body: { id: offering_id } } = await post(first, "/offerings", offering)
    const starts_at = new Date(Date.now() + 86_400_000).toISOString()
    const { body: { data } } = await post(second, "/sessions", { offering_id, starts_at })
    const wish = (guest: number) => ({
      offering_id,
      session_id: data?.[0]?.id,
      customer: { email: `guest${guest}@example.com`, name: "Guest" }
    })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => post(at % 2 === 0 ? first : second, "/bookings", wish(at)))
    )
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, ...Array(19).fill(409)])
    const lists = await Promise.all([first, second].map((baseUrl) => request(`${baseUrl}/bookings`, api_key)))
    const ids = lists.map(({ body }) => body.data?.map(({ id }) => id))
    expect(ids).toEqual([[expect.any(String)], ids[0]])
  })

  it("doctor finds all well, and names a role that row security does not bind", async () => {
    const cwd = folder()
    await answer(org("examined"), { cwd })
    const doctor = ["doctor", "--port", "0", "--outbox", cwd]
    const { code, stdout } = await trailbook([...doctor, ...named("examined")], { cwd })
    expect(stdout).toMatch(/row security\s*binds the role/)
    expect(stdout).toMatch(/clocks/)
    // The server of the tests runs without fsync, and that is found.
    expect(stdout.match(/^FAULT.*$/gm)?.filter((line) => !line.includes("fsync is off")) ?? []).toEqual([])
    expect(code).toBe(stdout.includes("fsync is off") ? 3 : 0)
    const superuser = ["--database", `${database.superuserUrl}?schema=examined`]
    expect((await trailbook([...doctor, ...superuser], { cwd })).stdout).toMatch(/FAULT.*is a superuser/)
  })

  it("a server that does not answer is named without its password", async () => {
    const unreachable = ["--database", "postgres://me:secret@127.0.0.1:1/trips"]
    const { code, stderr } = await trailbook(["serve", ...unreachable, "--port", "0"], { cwd: folder() })
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/127\.0\.0\.1:1\/trips.*ECONNREFUSED/)
    expect(stderr).not.toContain("secret")
  })
})
