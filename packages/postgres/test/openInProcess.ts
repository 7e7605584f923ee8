/**
 * A program that `migrate.test.ts` runs. Each input line contains a schema and a time. The program opens the schema at
 * that time and stores an org.
 */
import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import * as Instant from "@trailbook/core/time/Instant"
import { layer } from "@trailbook/postgres"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { createInterface } from "node:readline"

process.stdout.write("ready\n")
for await (const line of createInterface(process.stdin)) {
  const [at = "", url = "", schema = ""] = line.split(" ")
  // Busy-wait, because timers in the processes would fire milliseconds apart.
  while (Date.now() < Number(at));
  const id = randomUUID()
  const org = Org.make({ id, name: "River", slug: id, timezone: "America/Denver", createdAt: Instant.make(0) })
  await Effect.runPromise(Effect.provide(Effect.flatMap(OrgStore, ({ put }) => put(org)), layer({ url, schema })))
  process.stdout.write("stored\n")
}
