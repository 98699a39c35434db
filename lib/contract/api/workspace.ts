// Schema and type of `GET /v1/workspace`: the workspace of the API key.
import * as z from 'zod';

export const workspaceAnswer = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.enum(['free', 'paid']).describe('images of free workspaces carry a watermark'),
  balance: z.number().describe('render credits'),
  rendersRemaining: z.number().int().describe('how many renders the balance pays'),
  creditsCost: z.number().describe('credits of one render'),
  rateLimit: z.number().int().describe('renders of this key in any 60 seconds'),
});

export type WorkspaceAnswer = z.output<typeof workspaceAnswer>;
