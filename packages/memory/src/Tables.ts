/**
 * All tables as one immutable value, with the same unique and ordered indexes as a database. Keys start with the org's
 * ID.
 */
import type { ApiKey } from "@trailbook/core/actor"
import type { AssistantCall } from "@trailbook/core/assistant"
import type { Automation } from "@trailbook/core/automation"
import type { Booking } from "@trailbook/core/booking"
import type { Broadcast, SavedReply } from "@trailbook/core/conversation"
import type { Conversation } from "@trailbook/core/conversation/Conversation"
import type { Message } from "@trailbook/core/conversation/message/Message"
import type { Customer } from "@trailbook/core/customer/Customer"
import type { SubscriptionKey } from "@trailbook/core/event"
import type { StoredFile } from "@trailbook/core/file"
import type { ResumableJob, ResumableJobKey } from "@trailbook/core/job"
import type { AuthorizationCode, Grant, GrantToken, OAuthClient } from "@trailbook/core/oauth"
import { type Closure, type DiscountCode, type OrgKey, toClosurePosition } from "@trailbook/core/offering"
import type { Offering } from "@trailbook/core/offering/Offering"
import type { Org } from "@trailbook/core/org/Org"
import type { LedgerEntry, Payment, PaymentConnection } from "@trailbook/core/payment"
import type { ExecutedRequest, RequestKey, StoredEvent } from "@trailbook/core/port"
import type { Proposal } from "@trailbook/core/proposal"
import type { Session } from "@trailbook/core/session"
import type {
  AuditEntry,
  Passkey,
  PasskeyChallenge,
  SignInLink,
  StaffMember,
  StaffSession
} from "@trailbook/core/staff"
import type { Task } from "@trailbook/core/task/Task"
import type { Instant } from "@trailbook/core/time/Instant"
import type { Webhook } from "@trailbook/core/webhook"
import * as Struct from "effect/Struct"
import type { Lease } from "./Lease.ts"
import * as Table from "./Table.ts"

/** Returns the key of an org's row or index group. */
export const toOrgKey = (orgId: string, id: string): string => `${orgId} ${id}`

/** The index group for indexes that span all orgs. */
export const allOrgsGroup = "every org"

export interface QueuedTask extends Task, Lease {}

export interface QueuedAutomation extends Automation, Lease {}

export interface QueuedProposal extends Proposal, Lease {}

/** A webhook with its cursor in the org's event log. */
export interface WebhookEndpoint extends Lease {
  readonly webhook: Webhook
  readonly cursor: number
  /**
   * The ID of the org's newest event when the endpoint stopped, and the time of the next attempt. Both are null if the
   * endpoint is not stopped.
   */
  readonly stoppedAt: number | null
  readonly retryAt: number | null
}

/** A subscription with its cursor in the org's event log. */
export interface Subscription extends SubscriptionKey, Lease {
  readonly cursor: number
  /** The time at which a failed run is retried, or null if the last run did not fail. */
  readonly retryAt: number | null
  readonly failures: number
}

/** How many of an org's changes did not emit an event. */
export interface ChangeCount {
  readonly orgId: string
  readonly times: number
}

export interface DraftRequest extends OrgKey {
  readonly at: Instant
}

export const toRequestKey = ({ key, operation, orgId }: RequestKey): string => `${orgId} ${operation} ${key}`

export const toResumableJobKey = ({ id, orgId, subject }: ResumableJobKey): string => `${orgId} ${subject} ${id}`

/** Returns the key that identifies duplicate proposals. */
export const toProposalKey = ({ automation, day, orgId, subject }: Proposal): string =>
  `${orgId} ${automation} ${day} ${subject}`

const keyOf = ({ id, orgId }: OrgKey): string => toOrgKey(orgId, id)

/** Compares rows by ID, for sorting. */
export const compareById = (a: Pick<OrgKey, "id">, b: Pick<OrgKey, "id">): number => a.id < b.id ? -1 : 1

/** Returns a row's key in its table. A key that does not consist of an org and an ID is passed as a string. */
export const toKey = (key: OrgKey | string): string => typeof key === "string" ? key : keyOf(key)

const created = {
  group: ({ orgId }: OrgKey) => orgId,
  position: ({ createdAt: at, id }: { readonly createdAt: number; readonly id: string }) => ({ at, id })
}

const start = {
  group: ({ orgId }: OrgKey) => orgId,
  position: ({ id, startsAt: at }: { readonly startsAt: number; readonly id: string }) => ({ at, id })
}

/** Orders rows by creation time, then by digest. */
const issueOrder = {
  position: ({ createdAt: at, digest: id }: { readonly createdAt: number; readonly digest: string }) => ({ at, id })
}

const ofGrant = {
  ...issueOrder,
  group: ({ grantId, orgId }: Pick<AuthorizationCode, "grantId" | "orgId">) => toOrgKey(orgId, grantId)
}

/** Creates an empty table whose rows reference only their org. */
const makeOrgTable =
  <Row extends { readonly orgId: string }>() =>
  <Unique extends string = never, Ordered extends string = never>(
    shape: Table.TableDefinition<Row, Unique, Ordered>
  ): Table.Table<Row, Unique, Ordered> => Table.empty<Row>()({ ...shape, references: ({ orgId }) => ({ orgs: orgId }) })

export const empty = {
  orgs: Table.empty<Org>()({
    rowName: "org",
    key: ({ id }) => id,
    unique: { slug: ({ slug }) => slug },
    ordered: { created: { ...created, group: () => allOrgsGroup } }
  }),
  apiKeys: makeOrgTable<ApiKey>()({
    rowName: "API key",
    key: ({ id }) => id,
    ordered: { created }
  }),
  staff: makeOrgTable<StaffMember>()({
    rowName: "staff member",
    key: keyOf,
    unique: { "e-mail": ({ email, orgId }) => toOrgKey(orgId, email) },
    ordered: {
      created,
      email: { group: ({ email }) => email, position: ({ orgId }) => ({ at: 0, id: orgId }) }
    }
  }),
  signInLinks: makeOrgTable<SignInLink>()({
    rowName: "sign-in link",
    key: ({ digest }) => digest,
    ordered: { ofPerson: { ...issueOrder, group: ({ orgId, staffId }) => toOrgKey(orgId, staffId) } }
  }),
  logins: makeOrgTable<StaffSession>()({
    rowName: "login",
    key: keyOf,
    unique: { digest: ({ digest }) => digest },
    ordered: { created }
  }),
  passkeys: makeOrgTable<Passkey>()({
    rowName: "passkey",
    key: keyOf,
    unique: { id: ({ id }) => id },
    ordered: { created }
  }),
  challenges: Table.empty<PasskeyChallenge>()({
    rowName: "challenge",
    key: ({ digest }) => digest,
    ordered: { over: { group: () => allOrgsGroup, position: ({ digest: id, expiresAt: at }) => ({ at, id }) } }
  }),
  audit: makeOrgTable<AuditEntry>()({
    rowName: "audit entry",
    key: keyOf,
    ordered: { at: { group: ({ orgId }) => orgId, position: ({ at, id }) => ({ at, id }) } }
  }),
  assistantCalls: makeOrgTable<AssistantCall>()({
    rowName: "assistant call",
    key: keyOf,
    ordered: {
      at: { group: ({ orgId }) => orgId, position: ({ at, id }) => ({ at, id }) },
      over: { group: () => allOrgsGroup, position: (call) => ({ at: call.at, id: keyOf(call) }) }
    }
  }),
  applications: Table.empty<OAuthClient>()({
    rowName: "application",
    key: ({ clientId }) => clientId,
    ordered: { read: { group: () => allOrgsGroup, position: ({ clientId: id, readAt: at }) => ({ at, id }) } }
  }),
  grants: makeOrgTable<Grant>()({
    rowName: "grant",
    key: keyOf,
    ordered: {
      created,
      ofClient: { group: ({ clientId }) => clientId, position: (grant) => ({ at: 0, id: keyOf(grant) }) }
    }
  }),
  grantCodes: Table.empty<AuthorizationCode>()({
    rowName: "code",
    key: ({ digest }) => digest,
    references: ({ grantId, orgId }) => ({ grants: toOrgKey(orgId, grantId) }),
    ordered: { ofGrant }
  }),
  grantTokens: Table.empty<GrantToken>()({
    rowName: "token",
    key: ({ digest }) => digest,
    references: ({ grantId, orgId }) => ({ grants: toOrgKey(orgId, grantId) }),
    ordered: { ofGrant }
  }),
  offerings: makeOrgTable<Offering>()({
    rowName: "offering",
    key: keyOf,
    ordered: { created: { ...created, group: ({ deletedAt, orgId }) => deletedAt === null ? orgId : undefined } }
  }),
  closures: Table.empty<Closure>()({
    rowName: "closure",
    key: keyOf,
    references: ({ offeringId, orgId }) => ({
      orgs: orgId,
      offerings: offeringId && toOrgKey(orgId, offeringId)
    }),
    ordered: { fromDate: { group: ({ orgId }) => orgId, position: toClosurePosition } }
  }),
  discounts: makeOrgTable<DiscountCode>()({
    rowName: "discount code",
    key: keyOf,
    unique: { code: ({ code, orgId }) => toOrgKey(orgId, code) },
    ordered: { created }
  }),
  sessions: Table.empty<Session>()({
    rowName: "session",
    key: keyOf,
    references: ({ offeringId, orgId }) => ({ offerings: toOrgKey(orgId, offeringId) }),
    ordered: { start, inOffering: { ...start, group: ({ offeringId, orgId }) => toOrgKey(orgId, offeringId) } }
  }),
  customers: makeOrgTable<Customer>()({
    rowName: "customer",
    key: keyOf,
    unique: { "e-mail": ({ email, erasedAt, orgId }) => erasedAt === null ? toOrgKey(orgId, email) : undefined },
    ordered: { created }
  }),
  bookings: Table.empty<Booking>()({
    rowName: "booking",
    key: keyOf,
    references: ({ customerId, offeringId, orgId, sessionId }) => ({
      offerings: toOrgKey(orgId, offeringId),
      customers: toOrgKey(orgId, customerId),
      sessions: sessionId && toOrgKey(orgId, sessionId)
    }),
    unique: {
      reference: ({ orgId, reference }) => toOrgKey(orgId, reference),
      handle: ({ handle }) => handle,
      "check-in token": ({ checkInToken }) => checkInToken,
      "idempotency key": ({ idempotency, orgId }) => toOrgKey(orgId, idempotency.key)
    },
    ordered: {
      start,
      created,
      ofCustomer: { ...start, group: ({ customerId, orgId }) => toOrgKey(orgId, customerId) },
      ofDiscount: {
        ...start,
        group: ({ orgId, price }) => {
          const discount = price?.terms.discount ?? null
          return discount === null ? undefined : toOrgKey(orgId, discount.id)
        }
      },
      // Canceled bookings occupy no place, so the place indexes exclude them.
      inOffering: {
        ...start,
        group: ({ offeringId, orgId, status }) => status === "cancelled" ? undefined : toOrgKey(orgId, offeringId)
      },
      inSession: {
        ...start,
        group: ({ orgId, sessionId, status }) =>
          status === "cancelled" || sessionId === null ? undefined : toOrgKey(orgId, sessionId)
      },
      expiry: {
        group: ({ status }) => status === "held" ? allOrgsGroup : undefined,
        position: (booking) => ({ at: booking.status === "held" ? booking.expiresAt : 0, id: keyOf(booking) })
      },
      confirmed: { ...created, group: ({ orgId, status }) => status === "confirmed" ? orgId : undefined },
      ofNetwork: {
        ...created,
        group: ({ orgId, unproven }) =>
          unproven === null || unproven.network === null ? undefined : toOrgKey(orgId, unproven.network)
      },
      networks: {
        group: ({ unproven }) => unproven === null || unproven.network === null ? undefined : allOrgsGroup,
        position: (booking) => ({ at: booking.createdAt, id: keyOf(booking) })
      }
    }
  }),
  payments: Table.empty<Payment>()({
    rowName: "payment",
    key: keyOf,
    references: ({ bookingId, orgId }) => ({ bookings: toOrgKey(orgId, bookingId) }),
    unique: {
      attempt: ({ attempt, bookingId, orgId }) => `${orgId} ${bookingId} ${attempt}`,
      intent: (payment) =>
        payment.status === "paid" && payment.connection !== null ? `${payment.provider} ${payment.intent}` : undefined
    },
    ordered: {
      ofBooking: {
        group: ({ bookingId, orgId }) => toOrgKey(orgId, bookingId),
        position: ({ attempt: at, id }) => ({ at, id })
      }
    }
  }),
  ledger: Table.empty<LedgerEntry>()({
    rowName: "ledger entry",
    key: keyOf,
    references: ({ bookingId, orgId }) => ({ bookings: toOrgKey(orgId, bookingId) }),
    ordered: {
      created,
      done: {
        group: ({ orgId, status }) => status === "done" ? orgId : undefined,
        position: ({ doneAt, id }) => ({ at: doneAt ?? 0, id })
      },
      ofBooking: { ...created, group: ({ bookingId, orgId }) => toOrgKey(orgId, bookingId) }
    }
  }),
  paymentConnections: makeOrgTable<PaymentConnection>()({
    rowName: "payment connection",
    key: keyOf,
    unique: {
      id: ({ id }) => id,
      connected: ({ disconnectedAt, orgId }) => disconnectedAt === null ? orgId : undefined
    },
    ordered: {
      connected: { group: ({ orgId }) => orgId, position: ({ connectedAt: at, id }) => ({ at, id }) },
      looked: { group: () => allOrgsGroup, position: ({ id, lookedAt: at }) => ({ at, id }) },
      id: { group: () => allOrgsGroup, position: ({ id }) => ({ at: 0, id }) }
    }
  }),
  events: makeOrgTable<StoredEvent>()({
    rowName: "event",
    key: ({ id, orgId }) => toOrgKey(orgId, String(id)),
    ordered: {
      id: { group: ({ orgId }) => orgId, position: ({ id }) => ({ at: id, id: "" }) },
      person: {
        group: ({ orgId, person }) => person === null ? undefined : toOrgKey(orgId, person),
        position: ({ id }) => ({ at: id, id: "" })
      }
    }
  }),
  touches: makeOrgTable<ChangeCount>()({
    rowName: "count of changes",
    key: ({ orgId }) => orgId
  }),
  files: makeOrgTable<StoredFile>()({
    rowName: "file",
    key: keyOf,
    ordered: {
      ofMessage: {
        group: ({ messageId, orgId }) => messageId === null ? undefined : toOrgKey(orgId, messageId),
        position: ({ id, position: at }) => ({ at, id })
      },
      unused: {
        group: ({ messageId }) => messageId === null ? allOrgsGroup : undefined,
        position: (file) => ({ at: file.createdAt, id: keyOf(file) })
      }
    }
  }),
  tasks: makeOrgTable<QueuedTask>()({
    rowName: "task",
    key: keyOf,
    ordered: {
      due: {
        group: ({ givenUpAt, queue }) => givenUpAt === null ? queue : undefined,
        position: ({ dueAt: at, ...key }) => ({ at, id: keyOf(key) })
      },
      failed: {
        group: ({ attempts, givenUpAt }) => attempts > 0 || givenUpAt !== null ? allOrgsGroup : undefined,
        position: (task) => ({ at: 0, id: keyOf(task) })
      }
    }
  }),
  requests: makeOrgTable<ExecutedRequest>()({
    rowName: "request",
    key: toRequestKey
  }),
  unfinished: makeOrgTable<ResumableJob>()({
    rowName: "unfinished work",
    key: toResumableJobKey,
    ordered: {
      touched: { group: () => allOrgsGroup, position: (row) => ({ at: row.touchedAt, id: toResumableJobKey(row) }) }
    }
  }),
  conversations: Table.empty<Conversation>()({
    rowName: "conversation",
    key: keyOf,
    references: ({ customerId, orgId }) => ({
      orgs: orgId,
      customers: customerId && toOrgKey(orgId, customerId)
    }),
    unique: {
      token: ({ token }) => token,
      customer: ({ customerId, orgId }) => customerId === null ? undefined : toOrgKey(orgId, customerId),
      "e-mail": ({ fromEmail, orgId }) =>
        fromEmail === null || fromEmail === "" ? undefined : toOrgKey(orgId, fromEmail)
    },
    ordered: { created }
  }),
  messages: Table.empty<Message>()({
    rowName: "message",
    key: keyOf,
    references: ({ bookingId, conversationId, customerId, orgId }) => ({
      conversations: toOrgKey(orgId, conversationId),
      bookings: bookingId && toOrgKey(orgId, bookingId),
      customers: customerId && toOrgKey(orgId, customerId)
    }),
    unique: {
      "mail key": ({ mailKey, orgId }) => mailKey === null ? undefined : toOrgKey(orgId, mailKey),
      "bounce token": ({ bounceToken }) => bounceToken ?? undefined,
      broadcast: ({ broadcastId, customerId, orgId }) =>
        broadcastId === null ? undefined : `${orgId} ${broadcastId} ${customerId}`
    },
    ordered: {
      created,
      inConversation: { ...created, group: ({ conversationId, orgId }) => toOrgKey(orgId, conversationId) }
    }
  }),
  broadcasts: makeOrgTable<Broadcast>()({
    rowName: "broadcast",
    key: keyOf,
    unique: { key: ({ key, orgId }) => toOrgKey(orgId, key) }
  }),
  savedReplies: makeOrgTable<SavedReply>()({
    rowName: "saved reply",
    key: keyOf,
    ordered: { created }
  }),
  drafts: makeOrgTable<DraftRequest>()({
    rowName: "draft",
    key: keyOf,
    ordered: { asked: { group: ({ orgId }) => orgId, position: ({ at, id }) => ({ at, id }) } }
  }),
  automations: makeOrgTable<QueuedAutomation>()({
    rowName: "automation",
    key: ({ automation, orgId }) => toOrgKey(orgId, automation),
    ordered: {
      ofOrg: { group: ({ orgId }) => orgId, position: ({ automation }) => ({ at: 0, id: automation }) },
      due: {
        group: ({ nextAt }) => nextAt === null ? undefined : allOrgsGroup,
        position: ({ automation, nextAt, orgId }) => ({ at: nextAt ?? 0, id: toOrgKey(orgId, automation) })
      }
    }
  }),
  proposals: makeOrgTable<QueuedProposal>()({
    rowName: "proposal",
    key: keyOf,
    unique: { subject: toProposalKey },
    ordered: {
      created,
      due: {
        group: ({ runAt }) => runAt === null ? undefined : allOrgsGroup,
        position: ({ runAt, ...key }) => ({ at: runAt ?? 0, id: keyOf(key) })
      },
      own: {
        group: ({ decidedAt, decidedBy, orgId }) => decidedBy === "agent" && decidedAt !== null ? orgId : undefined,
        position: ({ decidedAt, id }) => ({ at: decidedAt ?? 0, id })
      },
      state: { group: ({ orgId, status }) => toOrgKey(orgId, status), position: created.position },
      waiting: {
        group: ({ runAt, status }) => status === "pending" && runAt === null ? allOrgsGroup : undefined,
        position: ({ expiresAt: at, ...key }) => ({ at, id: keyOf(key) })
      }
    }
  }),
  endpoints: Table.empty<WebhookEndpoint>()({
    rowName: "webhook",
    key: ({ webhook }) => keyOf(webhook),
    references: ({ webhook }) => ({ orgs: webhook.orgId }),
    unique: { id: ({ webhook }) => webhook.id },
    ordered: {
      created: { group: ({ webhook }) => webhook.orgId, position: ({ webhook }) => created.position(webhook) },
      id: { group: () => allOrgsGroup, position: ({ webhook: { id } }) => ({ at: 0, id }) }
    }
  }),
  subscriptions: makeOrgTable<Subscription>()({
    rowName: "subscription",
    key: ({ name, orgId }) => toOrgKey(orgId, name)
  })
}

export type Tables = typeof empty

/** Returns the rows with these keys, without duplicates. */
export const findRows = <Row>(table: Pick<Table.Table<Row>, "rows">, keys: ReadonlyArray<OrgKey>): ReadonlyArray<Row> =>
  [...new Set(keys.map(keyOf))].map((key) => Table.get(table, key)).filter((row) => row !== undefined)

/** Returns the row that a reference points to. Throws a `Table.ConstraintViolation` if the row does not exist. */
export const requireRow = <Row>(
  table: Pick<Table.Table<Row>, "rows"> & { readonly shape: Pick<Table.TableDefinition<Row>, "rowName"> },
  key: string
): Row => {
  const row = Table.get(table, key)
  if (row === undefined) {
    throw new Table.ConstraintViolation(`The referenced ${table.shape.rowName} ${key} does not exist.`)
  }
  return row
}

/** Inserts or replaces a row after checking that the rows it references exist. */
export const putRow = <Row, Unique extends string, Ordered extends string>(
  tables: Tables,
  table: Table.Table<Row, Unique, Ordered>,
  row: Row
): Table.Table<Row, Unique, Ordered> => {
  const references: Table.References = table.shape.references?.(row) ?? {}
  for (const [name, key] of Struct.entries(references)) {
    if (key !== null && key !== undefined) requireRow<unknown>(tables[name], key)
  }
  return Table.put(table, row)
}

/** Inserts a row after checking that its key does not exist and that the rows it references exist. */
export const insertRow = <Row, Unique extends string, Ordered extends string>(
  tables: Tables,
  table: Table.Table<Row, Unique, Ordered>,
  row: Row
): Table.Table<Row, Unique, Ordered> => {
  const key = table.shape.key(row)
  if (Table.get(table, key) !== undefined) {
    throw new Table.ConstraintViolation(`The ${table.shape.rowName} ${key} already exists.`)
  }
  return putRow(tables, table, row)
}
