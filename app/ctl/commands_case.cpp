// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/opened_target.h"
#include "models/actions/action_journal.h"
#include "models/casefile/case_reader.h"
#include "models/casefile/case_report.h"
#include "models/keys/private_file.h"
#include "sql/local/local_conflicts.h"

#include <QCoreApplication>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(idemdeskctl)
};

constexpr int kMostKeys = 50;

} // namespace

Exit runCase(const QStringList &arguments)
{
    Context context(u"case KEY…"_s);
    context.addConnectOption();
    context.addTargetOption();
    context.parser().addOption({ u"scope"_s, Tr::tr("The key's scope, part by part; parts left out match any."), Tr::tr("LABEL=VALUE,…") });
    context.parser().addOption({ u"complaint"_s, Tr::tr("What was complained about, for the file."), Tr::tr("TEXT") });
    context.parser().addOption({ QStringList { u"o"_s, u"output"_s }, Tr::tr("A new file that ends in .html, .pdf or .json."), Tr::tr("FILE") });
    context.parser().addPositionalArgument(u"KEY"_s, Tr::tr("The whole key; several are judged together."));
    if (const auto exit = context.parse(arguments, 1, kMostKeys)) {
        return *exit;
    }
    const QString path = context.value(u"output"_s);
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix != u"html" && suffix != u"pdf" && suffix != u"json") {
        return fail(usageError(Tr::tr("A case file is HTML, PDF or JSON."), Tr::tr("Name a file that ends so with -o.")));
    }
    if (QFileInfo::exists(path)) {
        return fail(usageError(Tr::tr("The file %1 is there already.").arg(path), Tr::tr("Choose another name; nothing is overwritten.")));
    }
    QMap<QString, QString> scope;
    const QStringList parts = context.value(u"scope"_s).split(u',', Qt::SkipEmptyParts);
    for (const QString &part : parts) {
        const qsizetype equals = part.indexOf(u'=');
        if (equals < 1) {
            return fail(usageError(Tr::tr("“%1” is no part of a scope.").arg(part), Tr::tr("Write --scope LABEL=VALUE,LABEL=VALUE.")));
        }
        scope.insert(part.left(equals), part.mid(equals + 1));
    }
    const auto opened = openTarget(context);
    if (!opened) {
        return fail(opened.error());
    }
    const sql::LocalPlace here { sql::LocalConflicts::defaultPath(), models::ActionJournal::serverOf(opened->session->facts()) };
    QList<models::CaseSubject> subjects;
    for (const QString &key : context.positional()) {
        subjects.append({ opened->target, opened->registered ? opened->registered->name : QString(), key, scope });
    }
    auto file = models::readCase(*opened->session, subjects, here);
    if (!file) {
        return fail(file.error());
    }
    file->complaint = context.value(u"complaint"_s);
    const QByteArray json = models::caseJson(*file);
    const auto written = models::writePrivateFile(path, [&](QIODevice &out) -> sql::Result<qint64> {
        const bool done = suffix == u"pdf" ? models::writeCasePdf(*file, json, &out)
            : suffix == u"html"           ? out.write(models::caseHtml(*file, json).toUtf8()) > 0
                                          : out.write(json) == json.size();
        return done ? sql::Result<qint64>(1) : sql::Result<qint64>(models::fileError(path, out.errorString(), false));
    });
    if (!written) {
        return fail(written.error());
    }
    note(file->verdict.sentence);
    note(Tr::tr("Written to %1.").arg(path));
    return Exit::Done;
}

} // namespace idemdesk::app
