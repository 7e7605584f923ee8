/**
 * For the whole of a delivery: look-up, connection, TLS and status line.
 *
 * @category constants
 */
export const deadline = "5 seconds"
