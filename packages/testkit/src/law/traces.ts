/** Writes to each store, and reads the traces that the writes leave behind. */
import type { ApiKey } from "@trailbook/core/actor"
import type { AssistantCall } from "@trailbook/core/assistant"
import { CustomerStore } from "@trailbook/core/customer"
import * as Customer from "@trailbook/core/customer/Customer"
import type { ResumableJob } from "@trailbook/core/job"
import type { AuthorizationCode, Grant, GrantToken } from "@trailbook/core/oauth"
import type { ExecutedRequest } from "@trailbook/core/port"
import type { AuditEntry, Passkey, SignInLink, StaffMember, StaffSession } from "@trailbook/core/staff"
import type { Storage } from "@trailbook/core/storage"
import * as Task from "@trailbook/core/task/Task"
import type { Webhook } from "@trailbook/core/webhook"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { origin } from "../generator/moment.ts"
import { seedOneOfEach } from "./seedOneOfEach.ts"
import { newId } from "./seedOrg.ts"
import * as Store from "./Store.ts"
import { listUnclaimedTasks } from "./task/tasks.ts"

/** Adds a customer as a visible trace. */
export const addGuest = (orgId: string) =>
  Effect.flatMap(CustomerStore, (customers) => {
    const id = newId()
    return customers.put([Customer.make({ id, orgId, email: `${id}@a.co`, createdAt: origin })])
  })

/** Returns the number of customers in an org. */
export const countGuests = (orgId: string) =>
  Effect.map(Store.customers.list({ orgId, limit: 1000 }), ({ length }) => length)

export const newApiKey = (orgId: string): ApiKey => ({
  // API key IDs have 12 characters.
  id: `K${newId().slice(-11)}`,
  orgId,
  name: "Desk",
  mode: "live",
  digest: "0".repeat(64),
  last4: "0000",
  scopes: ["read"],
  createdAt: origin,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null
})

/** Returns a new endpoint with all event types and no deliveries. */
export const newWebhook = (orgId: string): Webhook => ({
  id: newId(),
  orgId,
  url: "https://outfitter.example/events",
  events: ["*"],
  active: true,
  sealedSecret: "sealed",
  createdAt: origin,
  lastStatus: null,
  lastError: null,
  lastAttemptAt: null
})

/** Returns a new request with an idempotency key. */
export const newRequest = (orgId: string): ExecutedRequest => ({
  orgId,
  operation: "sessions.create",
  key: "k",
  fingerprint: "",
  made: [],
  madeAt: origin
})

/** Returns a job that has started to cancel a session. */
export const newResumableJob = (orgId: string): ResumableJob => ({
  orgId,
  subject: "session",
  id: "s",
  begunAt: origin,
  touchedAt: origin,
  cancelled: 0,
  refunded: 0
})

export const newStaffMember = (orgId: string): StaffMember => ({
  id: newId(),
  orgId,
  email: "ann@a.co",
  name: "Ann",
  role: "staff",
  notify: true,
  createdAt: origin
})

export const newSignInLink = (orgId: string): SignInLink => ({
  digest: newId(),
  orgId,
  staffId: "ann",
  next: null,
  createdAt: origin,
  expiresAt: origin,
  spentAt: null
})

export const newStaffSession = (orgId: string): StaffSession => ({
  id: newId(),
  orgId,
  staffId: "ann",
  digest: newId(),
  way: "link",
  device: "Firefox",
  createdAt: origin,
  lastUsedAt: origin,
  expiresAt: origin,
  endedAt: null
})

export const newPasskey = (orgId: string): Passkey => ({
  id: newId(),
  orgId,
  staffId: "ann",
  publicKey: "pQECAyYgASFYIA",
  counter: 0,
  name: "Phone",
  createdAt: origin,
  lastUsedAt: null
})

export const newGrant = (orgId: string): Grant => ({
  id: newId(),
  orgId,
  clientId: "app",
  name: "Assistant",
  staffId: "ann",
  scopes: ["read"],
  personal: false,
  createdAt: origin,
  lastUsedAt: null,
  withdrawnAt: null
})

export const newAuthorizationCode = ({ id: grantId, orgId }: Pick<Grant, "id" | "orgId">): AuthorizationCode => ({
  digest: newId(),
  orgId,
  grantId,
  clientId: "app",
  redirectUri: "https://a.co",
  challenge: "",
  createdAt: origin,
  expiresAt: origin,
  spentAt: null
})

export const newToken = ({ id: grantId, orgId }: Pick<Grant, "id" | "orgId">): GrantToken => ({
  digest: newId(),
  orgId,
  grantId,
  kind: "access",
  scopes: ["read"],
  createdAt: origin,
  expiresAt: origin,
  rotatedAt: null,
  uses: 0
})

export const newAuditEntry = (orgId: string): AuditEntry => ({
  id: newId(),
  orgId,
  at: origin,
  by: { _tag: "Staff", staffId: "ann" },
  what: "key.created",
  subject: "k",
  name: "First key"
})

export const newAssistantCall = (orgId: string): AssistantCall => ({
  id: newId(),
  orgId,
  at: origin,
  callerKind: "key",
  callerId: "k",
  operation: "bookings.list",
  outcome: "done",
  bookingId: null
})

/** Returns one write per store, based on one row of each kind, and a function that reads the visible rows. */
export const traces = Effect.map(seedOneOfEach, ({ booking, offering, org, session }) => {
  const { id: subjectId, orgId } = booking
  const event = { orgId, type: "org.updated" as const, data: {}, person: null, createdAt: origin }
  const writes: ReadonlyArray<Effect.Effect<void, never, Storage>> = [
    Store.orgs.put({ ...org, name: "Changed" }),
    Store.apiKeys.put(newApiKey(orgId)),
    Store.staff.put(newStaffMember(orgId)),
    Store.logins.putLink(newSignInLink(orgId)),
    Store.logins.put(newStaffSession(orgId)),
    Store.passkeys.put(newPasskey(orgId)),
    Store.audit.add(newAuditEntry(orgId)),
    Store.assistantCalls.add([newAssistantCall(orgId)]),
    Store.grants.put(newGrant(orgId)),
    addGuest(orgId),
    Store.offerings.put([{ ...offering, name: "Changed" }]),
    Store.sessions.put([{ ...session, capacity: 7 }]),
    Store.bookings.put([{ ...booking, notes: "Changed" }]),
    Store.bookings.update([{ ...booking, notes: "Changed", staffNotes: "Changed" }]),
    Store.tasks.add([Task.make({ id: newId(), orgId, kind: "refund", subjectId, dueAt: origin })]),
    Store.requests.bind(newRequest(orgId)),
    Store.resumableJobs.put(newResumableJob(orgId)),
    Store.log.append([event, event]),
    Store.log.touch(orgId),
    Store.webhooks.add(newWebhook(orgId))
  ]
  return {
    writes,
    leave: Effect.all(writes, { discard: true }),
    see: Effect.gen(function*() {
      const storedOrg = yield* Store.orgs.find(orgId)
      const keys = yield* Store.apiKeys.list(orgId)
      const staff = yield* Store.staff.list(orgId)
      const links = yield* Store.logins.links({ orgId, staffId: "ann" })
      const logins = yield* Store.logins.list(orgId)
      const entries = yield* Store.audit.page({ orgId, limit: 10 })
      const calls = yield* Store.assistantCalls.list({ orgId, after: undefined, limit: 10 })
      const grants = yield* Store.grants.list(orgId)
      const [storedOffering] = yield* Store.offerings.find([offering])
      const [departure] = yield* Store.sessions.lock([session])
      const [record] = yield* Store.bookings.find([booking])
      const events = yield* Store.log.latest(orgId, 10)
      const [head] = yield* Store.log.heads([orgId])
      const tasks = yield* listUnclaimedTasks
      const webhooks = yield* Store.webhooks.list(orgId)
      const request = yield* Store.requests.find(newRequest(orgId))
      const job = yield* Store.resumableJobs.find(newResumableJob(orgId))
      return {
        org: Option.getOrThrow(storedOrg).name,
        keys: keys.length,
        staff: staff.length,
        signingIn: [links.length, logins.length, entries.length, calls.length],
        grants: grants.length,
        guests: yield* countGuests(orgId),
        offering: storedOffering?.name,
        session: departure?.capacity,
        booking: [record?.booking.notes, record?.booking.staffNotes],
        tasks: tasks.filter((task) => task.orgId === orgId).length,
        events: events.map(({ id }) => id),
        head: head?.head ?? 0,
        webhooks: webhooks.length,
        kept: Option.isSome(request),
        begun: Option.isSome(job)
      }
    })
  }
})

/** The expected traces if no write was kept. */
export const emptyTraces = {
  org: "Town",
  keys: 0,
  staff: 0,
  signingIn: [0, 0, 0, 0],
  grants: 0,
  guests: 1,
  offering: "Rafting",
  session: null,
  booking: ["", ""],
  tasks: 0,
  events: [],
  head: 0,
  webhooks: 0,
  kept: false,
  begun: false
}

/** The expected traces if all writes were kept. */
export const fullTraces = {
  org: "Changed",
  keys: 1,
  staff: 1,
  signingIn: [1, 1, 1, 1],
  grants: 1,
  guests: 2,
  offering: "Changed",
  session: 7,
  booking: ["Changed", "Changed"],
  tasks: 1,
  events: [1, 2],
  head: 3,
  webhooks: 1,
  kept: true,
  begun: true
}
