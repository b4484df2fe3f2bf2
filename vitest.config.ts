export { default } from "./test/vitest.config.ts";
