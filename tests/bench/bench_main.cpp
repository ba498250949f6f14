// SPDX-License-Identifier: GPL-3.0-or-later
// idemdesk_bench NAME [ARGUMENTS…]: runs one bench, "all" runs each. Exit status 1 if a budget is missed, 2
// for usage.
#include "tests/bench/bench.h"

#include <QApplication>
#include <QTextStream>

using namespace Qt::StringLiterals;
using namespace idemdesk;

int main(int argc, char **argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    const QApplication application(argc, argv);
    QStringList arguments = QApplication::arguments().mid(1);
    const QString wanted = arguments.isEmpty() ? QString() : arguments.takeFirst();
    QTextStream out(stdout);
    bool found = false;
    bool missed = false;
    for (const bench::Entry &entry : bench::entries()) {
        if (wanted != entry.name && wanted != u"all"_s) {
            continue;
        }
        found = true;
        bench::Report report;
        out << "== " << entry.name << ": " << entry.title << '\n' << Qt::flush;
        entry.run(report, arguments);
        out << report.table() << Qt::flush;
        missed = missed || report.missed();
    }
    if (!found) {
        out << "usage: idemdesk_bench all|NAME [ARGUMENTS]\n";
        for (const bench::Entry &entry : bench::entries()) {
            out << "  " << entry.name << "  " << entry.title << '\n';
        }
        return 2;
    }
    return missed ? 1 : 0;
}
