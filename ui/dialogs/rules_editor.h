// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

class QCheckBox;
class QLabel;
class QPlainTextEdit;
class QStackedWidget;

namespace idemdesk::models {
class MappingController;
}

namespace idemdesk::ui {

class RulesForm;

/// The rules of a mapping: when a key is stuck, what may be purged, what actions do. In sentences, and to be edited: in
/// fields, or as the text of the profile, which can say more. What is wrong with them is said at once.
class RulesEditor final : public QWidget
{
    Q_OBJECT

public:
    explicit RulesEditor(models::MappingController *controller, QWidget *parent = nullptr);

    void reload(); ///< from the controller's profile
    bool valid() const { return m_valid; } ///< what stands there is what the profile has
    void focusFirst(); ///< the keyboard begins at the rules, and Enter goes on

signals:
    void edited(); ///< valid() may be another

private:
    QWidget *buildSummary();
    void wait(); ///< for the person to stop typing
    void apply();
    void showForm();
    void showText();
    void showSentences();

    models::MappingController *m_controller;
    QLabel *m_sentences;
    QStackedWidget *m_stack;
    RulesForm *m_form;
    QPlainTextEdit *m_text;
    QCheckBox *m_asText;
    QLabel *m_error;
    QTimer m_pause;
    bool m_valid = true;
};

} // namespace idemdesk::ui
