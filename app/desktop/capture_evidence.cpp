// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/capture_evidence.h"

#include "models/compare/compare_controller.h"
#include "models/complaint/complaint_controller.h"
#include "models/conflicts/conflict_controller.h"
#include "models/duplicates/duplicate_controller.h"
#include "models/workspace/workspace.h"
#include "ui/pages/complaints/complaints_page.h"
#include "ui/pages/conflicts/compare_view.h"
#include "ui/pages/conflicts/conflicts_page.h"
#include "ui/pages/conflicts/conflicts_view.h"
#include "ui/pages/conflicts/duplicates_view.h"
#include "ui/window/main_window.h"

#include <QCryptographicHash>
#include <QDialog>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

// Two requests of one key, as a person would open them from files.
const QByteArray kFirst = R"({
  "amount": 10.50, "currency": "EUR", "customer": "cus_81",
  "items": [
    {"id": "sku-1", "quantity": 1, "price": 4.25, "note": "Gift wrap, blue"},
    {"id": "sku-2", "quantity": 2, "price": 3.125},
    {"id": "sku-3", "quantity": 1, "price": 0}
  ],
  "address": {"street": "12 Harbour Road", "city": "Rostock"},
  "sent_at": "2026-11-20T14:30:00Z"
})";
const QByteArray kSecond = R"({
  "amount": 99.0, "currency": "EUR", "customer": "cus_81",
  "items": [
    {"id": "sku-2", "quantity": 2, "price": 3.1250},
    {"id": "sku-1", "quantity": 1, "price": 4.25, "note": "Gift wrap, green"},
    {"id": "sku-4", "quantity": 5, "price": 17.60}
  ],
  "address": {"city": "Rostock", "street": "12 Harbour Road"},
  "sent_at": "2026-11-20T14:31:07Z"
})";

// What a person types into the fields of a log's lines.
const QString kLogLine = uR"({"request": {"id": "checkout-7f3a"}, "operation": "pay", "outcome": "reused", )"
                         R"("time": "2026-11-20T14:31:07Z"})"_s;

QLineEdit *field(const ui::MainWindow *window, const QString &name)
{
    return window->findChild<QLineEdit *>(name);
}

bool judged(const ui::MainWindow *window)
{
    const auto *complaint = window->workspace()->complaint();
    return !complaint->busy() && !complaint->caseController()->busy()
        && complaint->caseController()->file().has_value();
}

/// Stops in the tabs of the page Conflicts.
class EvidenceStops
{
public:
    EvidenceStops(CaptureScript &script, ui::MainWindow &window, QString suffix)
        : m_script(script)
        , m_window(&window)
        , m_suffix(std::move(suffix))
    {
    }

    void conflicts()
    {
        ui::MainWindow *main = m_window;
        stop(
            u"conflicts"_s,
            [main] {
                main->showPage(u"conflicts"_s);
                main->conflictsPage()->showTab(u"conflicts"_s);
            },
            [main] { return main->conflicts()->loaded() && !main->conflicts()->busy(); });
        const auto fieldsDialog = [main] { return main->findChild<QDialog *>(u"logFieldsDialog"_s); };
        m_script.add({ u"conflicts-log-fields"_s + m_suffix,
            [main, fieldsDialog] {
                main->conflictsPage()->conflictsView()->askFields();
                fieldsDialog()->findChild<QLineEdit *>(u"logField_key"_s)->setText(u"/request/id"_s);
                fieldsDialog()->findChild<QLineEdit *>(u"logField_conflict"_s)->setText(u"reused"_s);
                fieldsDialog()->findChild<QPlainTextEdit *>(u"logFieldsLine"_s)->setPlainText(kLogLine);
            },
            {}, [fieldsDialog] { return static_cast<QWidget *>(fieldsDialog()); } });
        stop(
            {}, [fieldsDialog] { fieldsDialog()->reject(); }, [fieldsDialog] { return fieldsDialog() == nullptr; });
    }

    void complaint()
    {
        ui::MainWindow *main = m_window;
        stop(u"complaint-question"_s,
            [main] {
                main->showPage(u"complaints"_s);
                main->complaintsPage()->clear();
            },
            {});
        stop(
            u"complaint-candidates"_s,
            [main] {
                field(main, u"complaintText"_s)->setText(u"visa"_s);
                main->complaintsPage()->ask();
            },
            [main] { return main->workspace()->complaint()->answered() && !main->workspace()->complaint()->busy(); });
        stop(
            {}, [main] { main->conflicts()->refresh(); },
            [main] { return main->conflicts()->loaded() && !main->conflicts()->busy(); });
        stop(
            {},
            [main] {
                const sql::ConflictRecord *conflict = main->conflicts()->model()->row(0);
                main->complaintsPage()->askConflict(conflict != nullptr ? *conflict : sql::ConflictRecord());
            },
            [main] { return main->workspace()->complaint()->answered() && !main->workspace()->complaint()->busy(); });
        stop(
            u"complaint-verdict"_s,
            [main] {
                // The intent itself, not the message that went out for it.
                auto *complaint = main->workspace()->complaint();
                complaint->model()->pick(complaint->model()->rowCount() - 1, true);
                complaint->judgePicked();
            },
            [main] { return judged(main); });
    }

    void duplicates()
    {
        ui::MainWindow *main = m_window;
        stop(
            u"duplicates"_s,
            [main] {
                field(main, u"complaintKey"_s)->clear();
                main->showPage(u"conflicts"_s);
                main->conflictsPage()->showTab(u"duplicates"_s);
                main->conflictsPage()->duplicatesView()->showTarget(u"plpgsql-request"_s);
                main->conflictsPage()->duplicatesView()->setFilter(u"scope:create_order"_s);
                main->conflictsPage()->duplicatesView()->search();
            },
            [main] {
                return main->workspace()->duplicates()->searched() && !main->workspace()->duplicates()->running();
            });
        stop(
            u"duplicates-verdict"_s, [main] { main->findChild<QPushButton *>(u"duplicateJudge"_s)->click(); },
            [main] { return judged(main); });
    }

    void compare()
    {
        ui::MainWindow *main = m_window;
        stop(u"compare-empty"_s,
            [main] {
                main->workspace()->compare()->clear();
                main->showPage(u"conflicts"_s);
                main->conflictsPage()->showTab(u"compare"_s);
            },
            {});
        const auto compared = [main] {
            return !main->workspace()->compare()->busy() && main->workspace()->compare()->comparison() != nullptr;
        };
        stop(
            u"compare-tree"_s,
            [main] {
                auto *compare = main->workspace()->compare();
                compare->setSide(0, u"stored-request.json"_s, kFirst);
                compare->setSide(1, u"request-of-the-retry.json"_s, kSecond);
                main->conflictsPage()->compareView()->showTab(u"tree"_s);
            },
            compared);
        stop(
            u"compare-sides"_s, [main] { main->conflictsPage()->compareView()->showTab(u"sides"_s); }, compared);
        stop(
            u"compare-recipe"_s,
            [main] {
                field(main, u"compareParts"_s)->setText(u"method=POST path=/v1/orders"_s);
                field(main, u"compareIgnore"_s)->setText(u"/sent_at"_s);
                main->workspace()->compare()->setIgnore({ u"/sent_at"_s });
                const QByteArray hashed = "POST\n/v1/orders\n" + kFirst;
                main->conflictsPage()->compareView()->setFingerprint(
                    QString::fromLatin1(QCryptographicHash::hash(hashed, QCryptographicHash::Sha256).toHex()));
                main->conflictsPage()->compareView()->showTab(u"tree"_s);
            },
            compared);
        stop(
            u"compare-text"_s,
            [main] {
                auto *compare = main->workspace()->compare();
                field(main, u"compareIgnore"_s)->clear();
                field(main, u"compareParts"_s)->clear();
                compare->setIgnore({});
                main->conflictsPage()->compareView()->setFingerprint({});
                compare->setSide(0, u"stored-request.txt"_s, "amount=10.50&currency=EUR\ncustomer=cus_81\nnote=blue\n");
                compare->setSide(1, u"request-of-the-retry.txt"_s, "amount=99.00&currency=EUR\ncustomer=cus_81\n");
            },
            compared);
    }

private:
    void stop(const QString &name, std::function<void()> act, std::function<bool()> ready)
    {
        m_script.add({ name.isEmpty() ? QString() : name + m_suffix, std::move(act), std::move(ready),
            [main = m_window] { return main; } });
    }

    CaptureScript &m_script;
    ui::MainWindow *m_window;
    QString m_suffix;
};

} // namespace

void addConflictStops(CaptureScript &script, ui::MainWindow &window, const QString &suffix)
{
    EvidenceStops stops(script, window, suffix);
    stops.conflicts();
    stops.duplicates();
    stops.compare();
}

void addComplaintStops(CaptureScript &script, ui::MainWindow &window, const QString &suffix)
{
    EvidenceStops stops(script, window, suffix);
    stops.complaint();
}

} // namespace idemdesk::app
