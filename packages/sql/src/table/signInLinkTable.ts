import type { SignInLink } from "@trailbook/core/staff/SignInLink"
import * as Fields from "../Fields.ts"

/**
 * @category tables
 */
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
