import type { ProxyConfig } from 'electron';
import type { DeskPolicy } from '#main/engine/policy-schema.ts';

/** The proxy that IT has set, for Chromium; null if the system's is used. */
export function proxyOf({ proxy }: Pick<DeskPolicy, 'proxy'>): ProxyConfig | null {
  if (!proxy) return null;
  return {
    mode: 'fixed_servers',
    proxyRules: proxy.url,
    proxyBypassRules: (proxy.bypass ?? []).join(','),
  };
}
