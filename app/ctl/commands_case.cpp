// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/group_option.h"
#include "app/ctl/group_run.h"
#include "app/ctl/intents.h"
#include "app/ctl/not_read.h"
#include "app/ctl/opened_target.h"
#include "models/casefile/case_reader.h"
#include "models/casefile/case_report.h"
#include "models/keys/private_file.h"
#include "sql/types/tr.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kMostCaseKeys = 50;

/// The case as a new file, whose name decides the form.
sql::Result<qint64> writeCase(const models::CaseFile &file, const QString &path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    const QByteArray json = models::caseJson(file);
    return models::writePrivateFile(
        path,
        [&](QIODevice &out) -> sql::Result<qint64> {
            const bool done = suffix == u"pdf" ? models::writeCasePdf(file, json, &out)
                : suffix == u"html"            ? out.write(models::caseHtml(file, json).toUtf8()) > 0
                                               : out.write(json) == json.size();
            return done ? sql::Result<qint64>(1)
                        : sql::Result<qint64>(models::fileError(path, out.errorString(), false));
        },
        models::FileThere::Refuse);
}

/// The JSON form on standard output, with what the triage doubts.
void printCaseJson(const models::CaseFile &file, const QList<RowDoubt> &doubts)
{
    QJsonObject document = QJsonDocument::fromJson(models::caseJson(file)).object();
    QJsonArray stuck;
    for (const RowDoubt &doubt : doubts) {
        QJsonObject one = app::jsonOf(doubt);
        one.insert(u"key"_s, file.rows.at(doubt.row).key);
        one.insert(u"target"_s, file.rows.at(doubt.row).target.profile.name);
        stuck.append(one);
    }
    document.insert(u"stuck"_s, stuck);
    printJson(document);
}

/// --output; of a member of a group a file of its own: case.pdf becomes case.eu.pdf.
QString casePath(const Context &context)
{
    const QString path = context.value(u"output"_s);
    if (context.member().isEmpty() || path.isEmpty() || path == u"-") {
        return path;
    }
    static const QRegularExpression unfit(u"[^A-Za-z0-9_-]"_s);
    const QFileInfo file(path);
    return file.path() + u'/' + file.completeBaseName() + u'.' + context.member().replace(unfit, u"_"_s) + u'.'
        + file.suffix();
}

Exit runCase(const Context &context)
{
    const QString path = casePath(context);
    const bool toFile = !path.isEmpty() && path != u"-";
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (toFile && suffix != u"html" && suffix != u"pdf" && suffix != u"json") {
        return misused(
            Tr::tr("A case file is HTML, PDF or JSON."), Tr::tr("Name a file that ends so with -o, or “-”."));
    }
    if (toFile && QFileInfo::exists(path)) {
        return misused(
            Tr::tr("The file %1 is there already.").arg(path), Tr::tr("Choose another name; nothing is overwritten."));
    }
    TRY_OR(fail, auto intents, intentsOf(context, context.positional()));
    if (intents.absent) {
        return failAbsent(*intents.absent);
    }
    if (intents.subjects.isEmpty()) { // which was said
        noteNotRead(intents.notRead);
        return Exit::Unknown;
    }
    TRY_OR(failCase, auto file, models::readCase(*intents.session, intents.subjects, localConflicts(*intents.session)));
    file.complaint = context.value(u"complaint"_s);
    file.notRead = models::problemTexts(intents.notRead);
    TRY_OR(fail, const auto doubts, doubtsOf(intents, file));
    if (toFile) {
        TRY_OR(fail, writeCase(file, path));
    }
    if (context.json() || path == u"-") {
        printCaseJson(file, doubts);
    } else {
        printVerdict(file);
        printDoubts(file, doubts);
    }
    if (toFile) {
        note(Tr::tr("Written to %1.").arg(path));
    }
    return noteUnseen(intents);
}

} // namespace

Command caseCommand()
{
    return { .name = u"case"_s,
        .synopsis = u"KEY…"_s,
        .summary = Tr::tr("a case file about one or several keys: verdict, story and evidence, as HTML, PDF or JSON"),
        .about = Tr::tr("Writes a case file about one key, or about several that are judged together, looked "
                        "for in every table or in the one that --target names: the verdict with its rules, "
                        "the story, what differs between their requests and those that were refused, effects, "
                        "conflicts, the record and what was done to it, with the state of the audit log. The "
                        "name decides the form: .html, .pdf or .json. Without -o the verdict is printed; “-o "
                        "-” writes the JSON form on standard output, and so does --json.\n\nColumns that the "
                        "profile's masking names are left out, and so is what reads them: roles, parts of the "
                        "scope and effects. Requests are compared up to 1 MiB each and ten pairs; what was "
                        "not compared stands there, too.\n\nOf a key that is stuck it is said what “triage” "
                        "makes of it, and what cannot be known of its effect."),
        .arguments = { { u"KEY"_s, Tr::tr("The whole key; several are judged together."), 1, kMostCaseKeys, {} } },
        .options = connectOptions() + QList { groupOption() } + targetOptions(TargetScope::Every)
            + QList { jsonOption(), scopeOption(),
                Option::text(u"complaint"_s, Tr::tr("TEXT"), Tr::tr("What was complained about, for the file.")),
                outputOption(Tr::tr("A new file that ends in .html, .pdf or .json; “-” is standard output.")) },
        .examples = { { Tr::tr("Was the customer charged twice?"), u"case ord-1017"_s },
            { Tr::tr("The same for two keys, as a file for the customer's case:"),
                u"case ord-1017 ord-1018 --complaint 'charged twice' -o case.pdf"_s } },
        .run = overMembers(runCase),
        .tables = false };
}

} // namespace idemdesk::app
