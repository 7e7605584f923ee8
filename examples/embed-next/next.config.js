/** @type {import("next").NextConfig} */
export default {
  // It has a native driver for its database, which cannot be put into a bundle.
  serverExternalPackages: ["trailbook"]
}
