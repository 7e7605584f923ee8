import { describe, expect, it } from "vitest"
import { answer, database, folder, outfitter, trailbook } from "./program.ts"

const slug = ["--org", "salida-river-co"]

describe("staff", () => {
  it("adds, changes, and removes a staff member by email address", async () => {
    const cwd = folder()
    await outfitter(cwd)
    const staff = (...args: ReadonlyArray<string>) => answer(["staff", ...args], { cwd })
    const ann = await staff("add", ...database, ...slug, "--email", "Ann@Example.com", "--name", "Ann")
    expect(ann).toEqual({
      id: expect.any(String),
      email: "ann@example.com",
      name: "Ann",
      role: "staff",
      notify: true,
      created_at: expect.any(String)
    })
    const off = await staff("add", ...database, "--email", "ann@example.com", "--no-notify")
    expect(off).toEqual({ ...ann, notify: false })
    expect(await staff("add", ...database, "--email", "ann@example.com", "--name", "Anna")).toEqual({
      ...off,
      name: "Anna"
    })
    expect(await staff("add", ...database, "--email", "ann@example.com", "--notify")).toEqual({ ...ann, name: "Anna" })
    const bob = await staff("add", ...database, "--email", "bob@example.com")
    expect(bob).toMatchObject({ name: "", role: "staff", notify: true })
    expect(await staff("list", ...database)).toEqual({ data: [{ ...ann, name: "Anna" }, bob] })
    expect(await staff("remove", ...database, "--email", "ANN@example.com")).toEqual({ ...ann, name: "Anna" })
    expect(await staff("list", ...database)).toEqual({ data: [bob] })
  })

  it("without --json, prints human-readable text", async () => {
    const cwd = folder()
    await outfitter(cwd)
    const email = ["--email", "ann@example.com"]
    const outputOf = async (...args: ReadonlyArray<string>) => {
      const { code, stderr, stdout } = await trailbook(["staff", ...args], { cwd })
      return [code, stdout, stderr]
    }
    expect(await outputOf("list", ...database)).toEqual([
      0,
      "",
      "No staff members. To add a staff member, run trailbook staff add.\n"
    ])
    expect(await outputOf("add", ...database, ...email, "--name", "Ann")).toEqual([
      0,
      "Ann (ann@example.com) is a staff member and is notified of guest messages.\n",
      ""
    ])
    expect((await outputOf("list", ...database))[1]).toMatch(
      /^EMAIL +NAME +ROLE +NOTIFIED +ADDED\nann@example.com +Ann +staff +yes +2/
    )
    expect(await outputOf("remove", ...database, ...email)).toEqual([
      0,
      "Removed ann@example.com from the staff.\n",
      ""
    ])
    const [code, , why] = await outputOf("remove", ...database, ...email)
    expect(code).toBe(1)
    expect(why).toContain("salida-river-co has no staff member ann@example.com")
    const [wrong, , both] = await outputOf("add", ...database, ...email, "--notify", "--no-notify")
    expect(wrong).toBe(2)
    expect(both).toContain("Use either --notify or --no-notify, not both.")
  })

  it("lists the owner that org create added", async () => {
    const cwd = folder()
    const orgFlags = ["--name", "Nordfjord", "--timezone", "Europe/Oslo", "--email", "kari@example.com"]
    const { code, stdout } = await trailbook(["org", "create", ...database, ...orgFlags], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain("kari@example.com is notified of guest messages.")
    expect(await answer(["staff", "list", ...database], { cwd })).toMatchObject({
      data: [{ email: "kari@example.com", name: "", notify: true }]
    })
  })
})

it("org create adds an owner, and prints the owner's sign-in link", async () => {
  const cwd = folder()
  const createdOrg = await answer(
    [
      "org",
      "create",
      ...database,
      "--name",
      "Salida River Co.",
      "--timezone",
      "America/Denver",
      "--owner",
      "Ann@Example.com"
    ],
    { cwd }
  )
  expect(createdOrg).toMatchObject({
    sign_in_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4000\/sign-in\/\w{42}$/)
  })
  const { data } = await answer(["staff", "list", ...database], { cwd })
  expect(data).toMatchObject([{ email: "ann@example.com", role: "owner", notify: true }])
  const again = await answer(["staff", "add", ...database, "--email", "ann@example.com", "--link"], { cwd })
  expect(again.sign_in_url).not.toBe(createdOrg.sign_in_url)
  const { code, stderr } = await trailbook([
    "staff",
    "add",
    ...database,
    "--email",
    "ann@example.com",
    "--role",
    "staff"
  ], { cwd })
  expect([code, stderr]).toEqual([1, expect.stringContaining("at least one owner is required")])
})
