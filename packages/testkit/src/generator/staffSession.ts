import { type AssistantCall, callerKinds } from "@trailbook/core/assistant"
import {
  auditActions,
  type AuditEntry,
  maxDeviceLength,
  type Passkey,
  type SignInLink,
  signInMethods,
  type StaffMember,
  staffRoles,
  type StaffSession
} from "@trailbook/core/staff"
import * as FastCheck from "effect/FastCheck"
import { email } from "./customer.ts"
import { moment } from "./moment.ts"
import { text } from "./text.ts"

const staffId = FastCheck.constantFrom("ann", "bob")
/** A sign-in link without an org. */
export const signInLink: FastCheck.Arbitrary<SignInLink> = FastCheck.record({
  digest: FastCheck.uuid(),
  orgId: FastCheck.constant(""),
  staffId,
  next: FastCheck.option(text(200)),
  createdAt: moment,
  expiresAt: moment,
  spentAt: FastCheck.option(moment)
})

/** A staff session without an org. */
export const staffSession: FastCheck.Arbitrary<StaffSession> = FastCheck.record({
  id: FastCheck.uuid(),
  orgId: FastCheck.constant(""),
  staffId,
  digest: FastCheck.uuid(),
  way: FastCheck.constantFrom(...signInMethods),
  device: text(maxDeviceLength),
  createdAt: moment,
  lastUsedAt: moment,
  expiresAt: moment,
  endedAt: FastCheck.option(moment)
})

/** A passkey without an org. */
export const passkey: FastCheck.Arbitrary<Passkey> = FastCheck.record({
  id: FastCheck.uuid(),
  orgId: FastCheck.constant(""),
  staffId,
  publicKey: FastCheck.base64String(),
  // Authenticators use a 32-bit counter.
  counter: FastCheck.integer({ min: 0, max: 2 ** 32 - 1 }),
  name: text(80),
  createdAt: moment,
  lastUsedAt: FastCheck.option(moment)
})

/** An assistant's tool call, without an org. The range of values is small, so that filters match some of the rows. */
export const assistantCall: FastCheck.Arbitrary<AssistantCall> = FastCheck.record({
  id: FastCheck.uuid(),
  orgId: FastCheck.constant(""),
  at: moment,
  callerKind: FastCheck.constantFrom(...callerKinds),
  callerId: FastCheck.constantFrom("AbCdEfGhIjKl", "0197a3c4-0000-7000-8000-000000000001"),
  operation: FastCheck.constantFrom("bookings.cancel", "desk.find"),
  outcome: FastCheck.constantFrom("done", "preview", "slot_full"),
  bookingId: FastCheck.option(FastCheck.uuid())
})

/** An audit entry without an org. */
export const auditEntry: FastCheck.Arbitrary<AuditEntry> = FastCheck.record({
  id: FastCheck.uuid(),
  orgId: FastCheck.constant(""),
  at: moment,
  by: FastCheck.oneof(
    FastCheck.record({ _tag: FastCheck.constant("Staff" as const), staffId }),
    FastCheck.record({
      _tag: FastCheck.constantFrom("Operator" as const, "Host" as const, "Service" as const)
    }),
    FastCheck.record({ _tag: FastCheck.constant("Key" as const), keyId: FastCheck.uuid() }),
    FastCheck.record({ _tag: FastCheck.constant("Application" as const), grantId: FastCheck.uuid() })
  ),
  what: FastCheck.constantFrom(...auditActions),
  subject: FastCheck.uuid(),
  name: text(200)
})

/** A staff member without an org. */
export const staffMember: FastCheck.Arbitrary<StaffMember> = FastCheck.record({
  id: FastCheck.uuid(),
  orgId: FastCheck.constant(""),
  email,
  name: text(120),
  role: FastCheck.constantFrom(...staffRoles),
  notify: FastCheck.boolean(),
  createdAt: moment
})
