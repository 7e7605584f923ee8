import type { Application } from "@trailbook/core/application/Application"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const applicationTable = Table.make({
  name: "applications",
  key: ["client_id"],
  columns: {
    client_id: "text",
    name: "text",
    redirect_uris: "json",
    created_at: "instant",
    read_at: "instant"
  },
  decode: (row): Application => ({
    clientId: row.client_id,
    name: row.name,
    redirectUris: JSON.parse(row.redirect_uris),
    createdAt: row.created_at,
    readAt: row.read_at
  }),
  encode: (application) => ({
    client_id: application.clientId,
    name: application.name,
    redirect_uris: application.redirectUris,
    created_at: application.createdAt,
    read_at: application.readAt
  })
})
