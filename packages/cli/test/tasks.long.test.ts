import { OrgStore } from "@trailbook/core/org"
import { TaskStore } from "@trailbook/core/task"
import { make, type Task } from "@trailbook/core/task/Task"
import * as Instant from "@trailbook/core/time/Instant"
import { storageLayer } from "@trailbook/runtime"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { answer, database, folder, org, outfitter, trailbook } from "./program.ts"

const dueAt = Instant.make(Date.UTC(2026, 4, 1, 15))
const id = (n: number) => `0197a1b2-0000-7000-8000-${`${n}`.padStart(12, "0")}`

/**
 * Stores tasks for two outfitters: an email that failed permanently, a refund that has failed for a day, a task that
 * failed once, and a task that has not run.
 */
const storeTasks = async () => {
  const cwd = folder()
  await outfitter(cwd)
  await answer([...org.slice(0, -3), "Green River", "--timezone", "America/Denver"], { cwd })
  const addTasks = Effect.gen(function*() {
    const orgs = yield* (yield* OrgStore).all
    const of = (slug: string) => orgs.find((one) => one.slug === slug)?.id ?? ""
    const task = (n: number, slug: string, overrides: Partial<Task>): Task => ({
      ...make({ id: id(n), orgId: of(slug), kind: "mail.confirmed", subjectId: id(n + 10), dueAt }),
      ...overrides
    })
    yield* (yield* TaskStore).add([
      task(1, "salida-river-co", { attempts: 29, lastError: "The mailbox is full.", givenUpAt: dueAt }),
      task(2, "salida-river-co", { attempts: 1, lastError: "No answer." }),
      task(3, "green-river", {
        kind: "refund",
        queue: "money",
        attempts: 13,
        lastError: "The payment account is closed."
      }),
      task(4, "green-river", {})
    ])
  })
  const file = join(cwd, "a.sqlite")
  await Effect.runPromise(Effect.provide(addTasks, storageLayer({ _tag: "Sqlite", file })))
  return cwd
}

const listIds = async (cwd: string, ...args: ReadonlyArray<string>) => {
  const { data } = await answer(["tasks", "list", ...database, ...args], { cwd })
  return (data as ReadonlyArray<{ readonly id: string }>).map((task) => task.id)
}

describe("tasks", () => {
  it("lists tasks that failed permanently or keep failing", async () => {
    const cwd = await storeTasks()
    const { stdout } = await trailbook(["tasks", "list", ...database], { cwd })
    const lines = stdout.trim().split("\n").map((line) => line.split(/ {2,}/))
    expect(lines[0]).toEqual(["ID", "ORG", "KIND", "ABOUT", "FAILED", "STATE", "LAST ERROR"])
    expect(new Set(lines.slice(1))).toEqual(
      new Set([
        [
          id(1),
          "salida-river-co",
          "mail.confirmed",
          id(11),
          "29 times",
          "failed permanently 2026-05-01T15:00Z",
          "The mailbox is full."
        ],
        [
          id(3),
          "green-river",
          "refund",
          id(13),
          "13 times",
          "next attempt 2026-05-01T15:00Z",
          "The payment account is closed."
        ]
      ])
    )
    expect(await listIds(cwd, "--org", "green-river")).toEqual([id(3)])
  })

  it("schedules one task or all failed tasks for an immediate retry", async () => {
    const cwd = await storeTasks()
    expect(await trailbook(["tasks", "retry", ...database, id(1)], { cwd })).toMatchObject({
      code: 0,
      stdout: "Scheduled 1 task for immediate retry.\n"
    })
    expect(await listIds(cwd)).toEqual([id(3)])
    // A task that has failed for less than a day can also be retried.
    expect((await trailbook(["tasks", "retry", ...database, id(2)], { cwd })).code).toBe(0)
    const { data } = await answer(["tasks", "retry", ...database, "--all"], { cwd })
    expect(data).toEqual([{ id: id(3), org_id: expect.any(String) }])
    expect((await trailbook(["tasks", "list", ...database], { cwd })).stderr)
      .toBe("No failed tasks.\n")
  })

  it("retries only failed tasks of the given outfitter", async () => {
    const cwd = await storeTasks()
    const retry = ["tasks", "retry", ...database]
    const { code, stderr } = await trailbook([...retry, id(4)], { cwd })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `"${id(4)}" is not a failed task. List failed tasks with trailbook tasks list.\n`
    })
    expect((await trailbook([...retry, id(1), "--org", "green-river"], { cwd })).code).toBe(1)
    for (const args of [retry, [...retry, id(1), "--all"]]) {
      const { code, stderr } = await trailbook(args, { cwd })
      expect({ code, isExplained: stderr.includes("Pass a task ID, or pass --all") }).toEqual({
        code: 2,
        isExplained: true
      })
    }
  })
})
