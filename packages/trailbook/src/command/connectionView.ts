import type { PaymentConnection } from "@trailbook/core/payment/PaymentConnection"
import * as Instant from "@trailbook/core/time/Instant"

/**
 * A connection without its secrets, as commands print it.
 *
 * @category converting
 */
export const connectionView = (connection: PaymentConnection) => ({
  id: connection.id,
  provider: connection.provider,
  mode: connection.mode,
  account_id: connection.accountId,
  name: connection.name,
  notices: connection.sealedNoticeSecret !== null,
  connected_at: Instant.format(connection.connectedAt),
  disconnected_at: connection.disconnectedAt === null ? null : Instant.format(connection.disconnectedAt),
  seen_to: Instant.format(connection.seenTo)
})
