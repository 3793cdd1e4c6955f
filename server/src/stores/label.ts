/** Labels under the store domain that mean something else, or would be taken for the platform's own. */
const reserved = new Set(
  `about abuse access account accounts activate ads affiliate affiliates analytics announcement api apis app apps
  asset assets auth authorize autoconfig autodiscover avatar avatars backup bank banking beta billing blog bot bots
  broadcasthost buy buyer cache callback captcha card cards cart cdn certificate chat checkout client cloud code
  commerce community config console contact content cookies copyright cron css customer customers dash
  dashboard data db debug dev developer developers dns doc docs domain domains download downloads email error
  errors events example exchange export faq favicon feed feedback file files forgot forum ftp git graphql groups guest
  health help helpdesk home host hosting hostmaster hosts http https image images imap img import inbox info internal
  invoice invoices ipfs isatap items js kb keystall legal license local localdomain localhost log login logout logs
  mail mailer mailerdaemon mailhost marketplace me media member members merchant message messages metrics mobile
  mx my nameserver network news newsletter nobody noc noreply notification notifications ns ns0 ns1 ns2 ns3 ns4
  oauth oauth2 official openapi operator order orders owner page pages pay payment payments payout phpmyadmin
  ping platform policy pop pop3 portal post postmaster premium press pricing privacy private product products profile
  proxy public purchase purchases queue readiness receipt redirect refund refunds register registration relay report
  reports reset review reviews robots root rss sale sales sandbox search secret secure security sell seller sellers
  server service services session sessions settings setup shop shops signin signout signup sitemap sites smtp
  sql ssh ssl sso staff stage staging start stat static statistics stats status storage store stores subdomain
  subscribe subscription support survey sysadmin system team teams terms ticket tickets tls token tools tos
  track transfer trust undefined update updates upload uploads usenet user users util verify video videos vpn wallet web
  webhook webhooks webmail webmaster website wiki wpad ws www www1 www2 www3 wwww xmpp admin admins administrator
  administrators null`.split(/\s+/),
)

export function isReservedLabel(label: string): boolean {
  return reserved.has(label.toLowerCase())
}
