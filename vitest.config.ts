import { defineConfig } from 'vitest/config'

const limits = { testTimeout: 30_000, hookTimeout: 60_000, setupFiles: ['test/shrink-in-time.ts'] }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...limits,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'node_modules/**'],
        },
      },
      {
        test: {
          ...limits,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/e2e/build-once.ts'],
        },
      },
    ],
  },
})
