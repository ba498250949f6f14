// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demo_statement.h"

#include "app/demo/demo_link.h"

using namespace Qt::StringLiterals;

namespace idemdesk::app {

sql::Result<QByteArray> demoStatement(const QString &conninfo)
{
    DemoLink link;
    TRY(link.open(conninfo, "idemdesk demo"));
    TRY(const auto lines, link.run(demoScript(u"provider_statement"_s)));
    QByteArray csv;
    for (const auto &line : lines) {
        csv += line.constFirst() + '\n';
    }
    return csv;
}

QStringList demoStatementMap()
{
    return { u"reference=Merchant reference"_s, u"amount_minor=Cents"_s, u"currency=Currency"_s, u"time=Created"_s,
        u"state=Status"_s };
}

} // namespace idemdesk::app
