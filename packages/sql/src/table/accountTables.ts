import type { ApiKey } from "@trailbook/core/actor"
import type { AssistantCall } from "@trailbook/core/assistant"
import type { AuthorizationCode, Grant, GrantToken, OAuthClient } from "@trailbook/core/oauth"
import type { Org } from "@trailbook/core/org/Org"
import type {
  AuditActor,
  AuditEntry,
  Passkey,
  PasskeyChallenge,
  SignInLink,
  StaffMember,
  StaffSession
} from "@trailbook/core/staff"
import * as Table from "../Table.ts"

export const orgTable = Table.of<Org>()({
  name: "orgs",
  key: ["id"],
  fields: {
    id: "text",
    name: "text",
    slug: "text",
    timezone: "text",
    currency: "text",
    plan: "text",
    phone: "text?",
    replyWindow: "text?",
    autoAck: "boolean",
    awayNotice: "text?",
    reviewUrl: "text?",
    briefHour: "integer",
    opsDailyCap: "integer",
    quietFrom: "integer?",
    quietTo: "integer?",
    refundCeilingCents: "integer?",
    guestChangesHours: "integer?",
    accent: "text?",
    logoUrl: "text?",
    coverUrl: "text?",
    confirmEmail: "boolean",
    units: "text?",
    fees: "json",
    cancellationPolicy: "json",
    staffMayRefund: "boolean",
    secret: "text",
    createdAt: "instant"
  }
})

export const apiKeyTable = Table.of<ApiKey>()({
  name: "api_keys",
  fields: {
    ...Table.orgKeyFields,
    name: "text",
    mode: "text",
    digest: "text",
    last4: "text",
    scopes: "json",
    createdAt: "instant",
    expiresAt: "instant?",
    revokedAt: "instant?",
    lastUsedAt: "instant?"
  }
})

export const staffTable = Table.of<StaffMember>()({
  name: "staff",
  fields: {
    ...Table.orgKeyFields,
    email: "text",
    name: "text",
    role: "text",
    notify: "boolean",
    createdAt: "instant"
  }
})

export const staffSessionTable = Table.of<StaffSession>()({
  name: "logins",
  fields: {
    ...Table.orgKeyFields,
    staffId: "text",
    digest: "text",
    way: "text",
    device: "text",
    createdAt: "instant",
    lastUsedAt: "instant",
    expiresAt: "instant",
    endedAt: "instant?"
  }
})

export const signInLinkTable = Table.of<SignInLink>()({
  name: "sign_in_links",
  key: ["org_id", "digest"],
  fields: {
    digest: "text",
    orgId: "text",
    staffId: "text",
    next: "text?",
    createdAt: "instant",
    expiresAt: "instant",
    spentAt: "instant?"
  }
})

export const passkeyTable = Table.of<Passkey>()({
  name: "passkeys",
  fields: {
    ...Table.orgKeyFields,
    staffId: "text",
    publicKey: "text",
    counter: "integer",
    name: "text",
    createdAt: "instant",
    lastUsedAt: "instant?"
  }
})

export const passkeyChallengeTable = Table.of<PasskeyChallenge>()({
  name: "passkey_challenges",
  key: ["digest"],
  fields: {
    digest: "text",
    staffId: "text?",
    expiresAt: "instant"
  }
})

const baseTable = Table.of<Omit<AuditEntry, "by">>()({
  name: "audit",
  fields: { ...Table.orgKeyFields, at: "instant", what: "text", subject: "text", name: "text" }
})

export const auditTable = Table.make({
  ...baseTable,
  columns: { ...baseTable.columns, by_kind: "text", staff_id: "text?", by_id: "text?" },
  decode: (row): AuditEntry => ({
    ...baseTable.decode(row),
    by: toActor(row)
  }),
  encode: (entry: AuditEntry) => ({
    ...baseTable.encode(entry),
    by_kind: entry.by._tag,
    staff_id: entry.by._tag === "Staff" ? entry.by.staffId : null,
    by_id: entry.by._tag === "Key" ? entry.by.keyId : entry.by._tag === "Application" ? entry.by.grantId : null
  })
})

export const assistantCallTable = Table.of<AssistantCall>()({
  name: "assistant_calls",
  fields: {
    ...Table.orgKeyFields,
    at: "instant",
    callerKind: "text",
    callerId: "text",
    operation: "text",
    outcome: "text",
    bookingId: "text?"
  }
})

interface ActorColumns {
  readonly by_kind: string
  readonly staff_id: string | null
  readonly by_id: string | null
}

const toActor = ({ by_id: id, by_kind: kind, staff_id: staffId }: ActorColumns): AuditActor => {
  if (staffId !== null) return { _tag: "Staff", staffId }
  if (kind === "Key") return { _tag: "Key", keyId: id ?? "" }
  if (kind === "Application") return { _tag: "Application", grantId: id ?? "" }
  return { _tag: kind as "Operator" | "Host" | "Service" }
}

export const oauthClientTable = Table.of<OAuthClient>()({
  name: "applications",
  key: ["client_id"],
  fields: { clientId: "text", name: "text", redirectUris: "json", createdAt: "instant", readAt: "instant" }
})

export const grantTable = Table.of<Grant>()({
  name: "grants",
  fields: {
    ...Table.orgKeyFields,
    clientId: "text",
    name: "text",
    staffId: "text",
    scopes: "json",
    personal: "boolean",
    createdAt: "instant",
    lastUsedAt: "instant?",
    withdrawnAt: "instant?"
  }
})

export const grantCodeTable = Table.of<AuthorizationCode>()({
  name: "grant_codes",
  key: ["org_id", "digest"],
  fields: {
    digest: "text",
    orgId: "text",
    grantId: "text",
    clientId: "text",
    redirectUri: "text",
    challenge: "text",
    createdAt: "instant",
    expiresAt: "instant",
    spentAt: "instant?"
  }
})

export const grantTokenTable = Table.of<GrantToken>()({
  name: "grant_tokens",
  key: ["org_id", "digest"],
  fields: {
    digest: "text",
    orgId: "text",
    grantId: "text",
    kind: "text",
    scopes: "json",
    createdAt: "instant",
    expiresAt: "instant",
    rotatedAt: "instant?",
    uses: "integer"
  }
})
