/** The time limit of a delivery: DNS lookup, connection, TLS, and response status. */
export const deadline = "5 seconds"
