import type { ApiKey } from "@trailbook/core/actor/ApiKey"
import * as Instant from "@trailbook/core/time/Instant"

/**
 * A key as it is shown: whoever sees this cannot use it.
 *
 * @category converting
 */
export const keyView = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  mode: key.mode,
  last4: key.last4,
  scopes: key.scopes,
  created_at: Instant.format(key.createdAt),
  expires_at: formatted(key.expiresAt),
  revoked_at: formatted(key.revokedAt),
  last_used_at: formatted(key.lastUsedAt)
})

const formatted = (instant: Instant.Instant | null): string | null => instant === null ? null : Instant.format(instant)
