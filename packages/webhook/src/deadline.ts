/**
 * For the whole of a delivery: look-up, connection, TLS and status line (§6.3).
 *
 * @since 0.1.0
 * @category constants
 */
export const deadline = "5 seconds"
