/** Replaces libraries of listhen that are for what fiscal never asks of it: tunnels, the clipboard,
 * and watching sources; and what pg needs only on Cloudflare. */
export default undefined;
