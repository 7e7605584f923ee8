#!/usr/bin/env node
// Not dist/cli.js itself: npm links a command only when its file is there, and dist is not before the first build.
import "../dist/cli.js"
