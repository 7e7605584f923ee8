import type { KeptRequest } from "@trailbook/core/port/RequestKeys"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const requestKeyTable = Table.make({
  name: "request_keys",
  key: ["org_id", "operation", "key"],
  columns: {
    org_id: "text",
    operation: "text",
    key: "text",
    fingerprint: "text",
    made: "json",
    made_at: "instant"
  },
  decode: (row): KeptRequest => ({
    orgId: row.org_id,
    operation: row.operation,
    key: row.key,
    fingerprint: row.fingerprint,
    made: JSON.parse(row.made),
    madeAt: row.made_at
  }),
  encode: (request) => ({
    org_id: request.orgId,
    operation: request.operation,
    key: request.key,
    fingerprint: request.fingerprint,
    made: request.made,
    made_at: request.madeAt
  })
})
