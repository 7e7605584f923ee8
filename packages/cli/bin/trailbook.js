#!/usr/bin/env node
// The bundle is not the bin, because npm links only files that exist, and dist does not exist before the first build.
import "../dist/bundle/cli.js"
