import type { SignInLink } from "@trailbook/core/staff/sign-in/SignInLink"
import type { StaffSession } from "@trailbook/core/staff/sign-in/StaffSession"
import * as Fields from "../Fields.ts"

export const staffSessionTable = Fields.table<StaffSession>()({
  name: "logins",
  key: ["org_id", "id"],
  fields: {
    id: "text",
    orgId: "text",
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

export const signInLinkTable = Fields.table<SignInLink>()({
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
