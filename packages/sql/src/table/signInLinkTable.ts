import type { SignInLink } from "@trailbook/core/staff/SignInLink"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const signInLinkTable = Table.make({
  name: "sign_in_links",
  key: ["org_id", "digest"],
  columns: {
    org_id: "text",
    digest: "text",
    staff_id: "text",
    next: "text?",
    created_at: "instant",
    expires_at: "instant",
    spent_at: "instant?"
  },
  decode: (row): SignInLink => ({
    digest: row.digest,
    orgId: row.org_id,
    staffId: row.staff_id,
    next: row.next,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    spentAt: row.spent_at
  }),
  encode: (link) => ({
    org_id: link.orgId,
    digest: link.digest,
    staff_id: link.staffId,
    next: link.next,
    created_at: link.createdAt,
    expires_at: link.expiresAt,
    spent_at: link.spentAt
  })
})
