import { createTrailbook } from "trailbook"

/** The shop's own bookings. `staffToken` is what this small shop has for a sign-in. */
export const openOutfitter = (database: string, staffToken: string) =>
  createTrailbook({
    database,
    org: { name: "Salida River Co.", timezone: "America/Denver" },
    http: {
      basePath: "/booking",
      surfaces: ["rest", "pages", "widget"],
      authorize: ({ headers }) =>
        headers.get("authorization") === `Bearer ${staffToken}`
          ? { scopes: ["read", "write"], source: "dashboard" }
          : null
    },
    // This program shows guests their booking; who wants mails sent gives a mailer, such as one over nodemailer.
    mailer: "none"
  })
