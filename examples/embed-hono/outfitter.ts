import { createTrailbook } from "trailbook"

/** The shop's own outfitter. `staffToken` is this small shop's only sign-in. */
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
    // This program shows guests their bookings on its own pages. To send emails, pass a mailer, such as one based on
    // nodemailer.
    mailer: "none"
  })
