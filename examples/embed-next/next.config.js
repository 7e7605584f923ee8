/** @type {import("next").NextConfig} */
export default {
  // Its database driver is a native module, which cannot be bundled.
  serverExternalPackages: ["trailbook"]
}
