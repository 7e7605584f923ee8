import type { Challenge, Passkey } from "@trailbook/core/staff/passkey/Passkey"
import * as Fields from "../Fields.ts"

export const passkeyTable = Fields.table<Passkey>()({
  name: "passkeys",
  key: ["org_id", "id"],
  fields: {
    id: "text",
    orgId: "text",
    staffId: "text",
    publicKey: "text",
    counter: "integer",
    name: "text",
    createdAt: "instant",
    lastUsedAt: "instant?"
  }
})

export const challengeTable = Fields.table<Challenge>()({
  name: "passkey_challenges",
  key: ["digest"],
  fields: {
    digest: "text",
    staffId: "text?",
    expiresAt: "instant"
  }
})
